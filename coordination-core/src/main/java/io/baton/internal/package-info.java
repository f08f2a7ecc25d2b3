/**
 * The client behind the public API: it keeps a session, waits in lines, guards holds and runs callbacks.
 *
 * <p><b>Threads.</b> Everything here runs on one {@link io.baton.spi.Loop} per coordinator, so there is nothing to lock.
 * Callers post to the loop and wait for what it decides; the loop never waits, and never runs a user's code. What other
 * threads may touch says so. Start reading at {@link io.baton.internal.AcquisitionMachine}.
 */
@NullMarked
package io.baton.internal;

import org.jspecify.annotations.NullMarked;
