package io.baton;

import java.util.List;

/**
 * A semaphore as its readings in the store show it.
 *
 * @param size the number of permits in all; 0 if no contender has acquired yet
 * @param out the number of permits that are held
 * @param holders who holds permits
 * @param waiting who waits, in the order in which they will be served
 */
public record SemaphoreView(int size, int out, List<QueueEntry> holders, List<QueueEntry> waiting) {

    /** Copies the lists. */
    public SemaphoreView {
        holders = List.copyOf(holders);
        waiting = List.copyOf(waiting);
    }
}
