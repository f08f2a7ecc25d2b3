package io.baton.tck.sim.lock;

import io.baton.tck.sim.lock.LockInvariants.Held;
import io.baton.tck.sim.lock.LockTruth.Entry;
import java.util.List;

/** Decides, by the truth of a line, who may be granted, and which holds may be valid at the same time. */
interface Admission {

    /** Whether this entry of the line may be granted now. */
    boolean admits(Entry entry);

    /** Whether this entry of the line will not be admitted before its client has seen others go. */
    boolean keepsOut(Entry entry);

    /** The entries that the client of this one waits for. */
    List<Entry> awaited(Entry entry);

    /** The entries that could be granted now, or have been. */
    List<Entry> due();

    /** Whether tokens of holds have to be larger than those of conflicting holds that were granted before. */
    default boolean ordersTokens() {
        return true;
    }

    /** Whether this entry has shared the line at any time, by its name or by a downgrade. */
    default boolean wasShared(Entry entry) {
        return false;
    }

    /** The owner of this entry, which is granted, has learned that it is downgraded, and nobody undoes that by hand. */
    default void shares(long token) {}

    /** Checks the valid holds, of which there are several. */
    void checkTogether(List<Held> valid);

    /** Whether the record of the run is written under the holds. */
    default boolean guardsRecord() {
        return true;
    }

    /** Looks at what the store has decided since the last look. */
    default void look() {}

    /** An entry of some line is about to be deleted, alone or with its session. */
    default void deletedByHand(long token) {}

    /** This session is about to end. */
    default void endedByHand(long session) {}

    /** Checks the end of a run. */
    default void checkEnd() {}
}
