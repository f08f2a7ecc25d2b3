/**
 * The client behind the public API: it connects, passes session events on to its parts, and closes everything in order.
 * Its parts are in the packages beside this one.
 *
 * <p><b>Threads.</b> All of it runs on one {@link io.baton.spi.Loop} per coordinator, so there is nothing to lock.
 * Callers post to the loop and wait for its decisions. The loop never waits, and never runs a user's code. Methods that
 * other threads may call say so.
 */
@NullMarked
package io.baton.internal.client;

import org.jspecify.annotations.NullMarked;
