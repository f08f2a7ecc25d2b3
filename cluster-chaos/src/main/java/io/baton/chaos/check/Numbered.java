package io.baton.chaos.check;

import io.baton.chaos.history.Event;

/**
 * A client took a number of the sequence.
 *
 * @param asked a moment before it asked for the number
 */
public record Numbered(Event event, long asked) {}
