package io.baton;

import java.time.Instant;

/**
 * A request to release a lock that has no answer yet, as the store has it on record.
 *
 * @param token the token of the hold that is asked for
 * @param by the client that asks, for people
 * @param reason why, for people
 * @param at when, by the clock of the client that asks
 */
public record PendingRelease(long token, String by, String reason, Instant at) {}
