package io.baton.election;

import java.time.Instant;
import java.util.Optional;

/**
 * The pause of an election, as read from the store: no candidate takes over until it is resumed.
 *
 * @param by the operator that paused it, for people; as {@code ops@bastion}
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
