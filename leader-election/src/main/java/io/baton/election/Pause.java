package io.baton.election;

import java.time.Instant;
import java.util.Optional;

/**
 * That an election is paused, as the store has it: nobody takes over until it is resumed.
 *
 * @param by who has paused it, for people; as {@code ops@bastion}
 * @param since when, by the clock of the machine that did
 * @param why the reason given; may be empty
 * @param leader the id of the candidate who led at that moment: the only one that may lead meanwhile; empty if nobody
 *     did
 */
public record Pause(String by, Instant since, String why, Optional<String> leader) {

    /** For people, as {@code paused by ops@bastion since 2026-01-02T03:04:05Z: moving racks}. */
    @Override
    public String toString() {
        return "paused by " + by + " since " + since + (why.isEmpty() ? "" : ": " + why);
    }
}
