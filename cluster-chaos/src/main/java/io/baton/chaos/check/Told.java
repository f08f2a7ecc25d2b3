package io.baton.chaos.check;

import io.baton.chaos.history.Event;
import java.util.Collection;
import java.util.List;

/**
 * Something that a client was told of a recipe.
 *
 * @param asked a moment before it asked
 */
record Told(Event event, long asked) {

    /** Of an event that says itself since when it was asked. */
    static Told of(Event event) {
        return new Told(event, event.number("asked"));
    }

    String text(String key) {
        return event.text(key);
    }

    long at() {
        return event.nanos();
    }

    private boolean mayHaveBeenLost(Collection<LossWindow> windows) {
        return windows.stream().anyMatch(window -> window.mayHaveLost(asked, at()));
    }

    /** Those that no fail-over can have lost. */
    static List<Told> kept(Collection<Told> all, Collection<LossWindow> windows) {
        return all.stream().filter(told -> !told.mayHaveBeenLost(windows)).toList();
    }
}
