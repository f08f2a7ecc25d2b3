package io.baton.recipes;

import java.util.List;

/**
 * A latch at one moment.
 *
 * @param round the number of the round, from 1; each reset begins the next one
 * @param count how many have to count down; 0 if the latch has not been opened in this round
 * @param counted the ids that have counted down in this round, in their order
 */
public record LatchState(long round, int count, List<String> counted) {

    /** Makes a copy of the list. */
    public LatchState {
        counted = List.copyOf(counted);
    }

    /** Returns whether the latch has been opened in this round. */
    public boolean isOpen() {
        return count > 0;
    }

    /** Returns whether as many have counted down as have to. */
    public boolean isReleased() {
        return isOpen() && counted.size() >= count;
    }
}
