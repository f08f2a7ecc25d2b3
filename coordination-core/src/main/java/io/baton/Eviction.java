package io.baton;

import java.time.Instant;

/**
 * The removal of one contender's entry by somebody else, as the store has it on record.
 *
 * @param token the token of the entry
 * @param client the client that had it, for people; empty if unknown
 * @param by the client that removed it, for people
 * @param reason why, for people
 * @param at when, by the clock of the client that removed it
 */
public record Eviction(long token, String client, String by, String reason, Instant at) {}
