/**
 * The client behind the public API: it connects, passes the session's life on to its parts, and ends everything in order.
 * Its parts are in the packages beside this one.
 *
 * <p><b>Threads.</b> All of it runs on one {@link io.baton.spi.Loop} per coordinator, so there is nothing to lock. Callers
 * post to the loop and wait for what it decides; the loop never waits, and never runs a user's code. What other threads may
 * touch says so.
 */
@NullMarked
package io.baton.internal.client;

import org.jspecify.annotations.NullMarked;
