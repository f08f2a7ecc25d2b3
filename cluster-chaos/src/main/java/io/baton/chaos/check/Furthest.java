package io.baton.chaos.check;

import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Those holds that are furthest by some measure: of all that were added, and of those that let nobody in beside them. */
final class Furthest {

    private final Comparator<Holding> by;
    private @Nullable Holding ofAll;
    private @Nullable Holding ofExclusive;

    Furthest(Comparator<Holding> by) {
        this.by = by;
    }

    void add(Holding next) {
        ofAll = further(ofAll, next);
        if (next.exclusive()) {
            ofExclusive = further(ofExclusive, next);
        }
    }

    /** The furthest of those beside which this one must not be held. Permits are held beside all others. */
    Optional<Holding> inConflictWith(Holding next) {
        if (next.permits() > 0) {
            return Optional.empty();
        }
        return Optional.ofNullable(next.exclusive() ? ofAll : ofExclusive);
    }

    private Holding further(@Nullable Holding than, Holding next) {
        return than == null || by.compare(next, than) > 0 ? next : than;
    }
}
