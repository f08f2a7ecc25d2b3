package io.baton.config;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A change in the history.
 *
 * @param change its number
 * @param revision where in the store's order it is
 * @param time as its author's machine told it
 * @param author who wrote it
 * @param comment why; may be empty
 * @param changes what it changed, by key
 * @param part which part it is of a change that took several transactions; empty if it is all of it
 */
public record ConfigEntry(
        long change,
        long revision,
        Instant time,
        String author,
        String comment,
        List<KeyChange> changes,
        Optional<ConfigPart> part) {}
