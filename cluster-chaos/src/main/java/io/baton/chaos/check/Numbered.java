package io.baton.chaos.check;

import io.baton.chaos.history.Event;

/**
 * Somebody had a number of the sequence.
 *
 * @param asked when it had not asked for the number yet
 */
public record Numbered(Event event, long asked) {}
