package io.baton.internal.lock;

import io.baton.LockOptions;
import io.baton.TooManyWaitersException;
import io.baton.recipe.Resource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cohorts of a coordinator, each while it is in use. On the loop, except {@link #begin}. */
final class Cohorts {

    /** While a coordinator has more cohorts in use than this, none lingers. */
    private static final int MOST_LINGERING = 1_000;

    private final Acquisitions all;
    private final Map<Key, Cohort> inUse = new HashMap<>();

    Cohorts(Acquisitions all) {
        this.all = all;
    }

    /** What the members of a cohort have in common. */
    record Key(Resource lock, LockOptions options) {}

    /**
     * Begins an attempt. Any thread.
     *
     * @throws TooManyWaitersException if too many are under way
     */
    AcquireAttempt begin(Key of, boolean noWait, @Nullable Duration limit) {
        all.admit(of.lock());
        var member = new CohortMember(all, of.lock(), noWait, limit);
        boolean open = all.loop()
                .post(() -> inUse.computeIfAbsent(of, key -> new Cohort(all, this, key))
                        .ask(member));
        if (!open) {
            member.refuse();
        }
        return member;
    }

    /** Whether places are no longer kept for what may come, as each costs an entry in the store and watches. */
    boolean areTooMany() {
        return inUse.size() > MOST_LINGERING;
    }

    /** This one is no longer in use. */
    void forget(Key unused) {
        inUse.remove(unused);
    }
}
