package io.baton.recipes;

import io.baton.CoordinationException;
import java.util.List;

/**
 * A round of a {@link Barrier}, or the beginning or end of one of a {@link DoubleBarrier}, with the verdict that all its
 * parties get.
 *
 * <p>A party that goes while enough others are the next round breaks none. It is told that it was alone in a broken one,
 * with the number of the round that the others are in.
 *
 * @param number the number of the round, from 1
 * @param passed whether all parties were there; otherwise the round was broken
 * @param parties the ids of the parties that were in it, in the order in which they came
 * @param me the id of this party
 * @param why why the round was broken; empty if it passed
 */
public record BarrierRound(long number, boolean passed, List<String> parties, String me, String why) {

    /** Makes a copy of the list. */
    public BarrierRound {
        parties = List.copyOf(parties);
    }

    /** Returns this party's place among the parties, from 0: a way to choose one of them for something. */
    public int index() {
        return parties.indexOf(me);
    }

    /**
     * Returns this round if it passed.
     *
     * @throws CoordinationException if it was broken
     */
    public BarrierRound orThrow() {
        if (!passed) {
            throw new CoordinationException("round " + number + " was broken: " + why);
        }
        return this;
    }
}
