package io.baton.config;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A change in the history.
 *
 * @param change its number
 * @param revision its revision in the store
 * @param time when it was written, by its author's clock
 * @param author the author
 * @param comment the reason; may be empty
 * @param changes what it changed, by key
 * @param part its part of a change that took several transactions; empty for a whole change
 */
public record ConfigEntry(
        long change,
        long revision,
        Instant time,
        String author,
        String comment,
        List<KeyChange> changes,
        Optional<ConfigPart> part) {}
