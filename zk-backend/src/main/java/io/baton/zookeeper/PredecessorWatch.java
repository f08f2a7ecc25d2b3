package io.baton.zookeeper;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a place watches while it waits in a line that is not followed.
 *
 * <p>Only entries that conflict with its own one count here. With one ahead, it watches its own entry and that one. With
 * more of them, it watches the last but one. Once that has gone, it watches the one ahead and its own, and the line is
 * listed, all in one flight. If a listing has shown the entry ahead alone, the hand-off is prepared: the deletion of
 * that entry makes the place first, without another answer. None that conflicts stands ahead then, as others come
 * behind. And the own entry stands, as events of one connection come in the order of the transactions: its deletion
 * would have been told before. That holds only while the own entry is watched, so not between a write to it and its
 * next watch. After a break the order of events is another, so only a listing of the same connection counts. Otherwise
 * the line is listed once the entry has gone.
 *
 * <p>A reader watches the last writer ahead in any case, as the only one left may be downgraded. In a mutex's line, behind
 * an entry of its own session, it needs no watch.
 */
final class PredecessorWatch implements OwnEntries.Successor {

    /** The place that waits. */
    interface Waiter {
        /** The line has moved on: it must be listed. */
        void moved();

        /** The entry ahead has gone, and the place is the first. */
        void handedOver();

        /** The entry ahead was of this session, and the first: only the own entry must be looked at. */
        void firstIfItStands();

        /** The entry ahead was written. */
        void aheadWritten();

        /** The contact broke before a watch was set. No event will follow. */
        void unwatched();

        /** This client may not read this node, so no event will follow. */
        void unreadable(String path);
    }

    /** A connection that there never was. */
    private static final long NONE = -1;

    private final ZkSession session;
    private final String line;
    private final boolean mutex;
    private final boolean reader;
    private final Waiter to;
    private String own = "";
    /** The entry ahead, once it is watched, or if it is one of this session. */
    private @Nullable String nearest;
    /** The last but one, while it is watched instead. */
    private @Nullable String further;
    /** The entry between {@link #further} and the own one, to be watched then. */
    private String between = "";
    /** The last connection on which a listing has shown one entry ahead. There will be no more of them. */
    private long prepared = NONE;

    private final Watches.Waiter nearestGone = new Watch() {
        @Override
        public void deleted() {
            boolean first = isFirst();
            nearest = null;
            if (first) {
                to.handedOver();
            } else {
                to.moved();
            }
        }

        @Override
        public void written() {
            to.aheadWritten();
        }

        @Override
        public void unreadable() {
            String path = nearest == null ? line : path(nearest);
            stop();
            to.unreadable(path);
        }
    };

    private final Watches.Waiter furtherGone = new Watch() {
        @Override
        public void deleted() {
            if (further != null) {
                further = null;
                prepare();
            }
        }

        @Override
        public void unreadable() {
            if (further != null) {
                passOver();
            }
        }
    };

    private final Watches.Waiter ownGone = new Watches.Waiter() {
        @Override
        public void deleted() {
            to.moved();
        }

        /** The deletion of the entry ahead is then confirmed by a listing. */
        @Override
        public void unwatched() {}

        @Override
        public void unreadable() {}
    };

    /**
     * Creates it for a line.
     *
     * @param mutex whether all entries of the line claim it for themselves alone
     * @param reader whether the place waits for writers alone, of which the first may be downgraded
     */
    PredecessorWatch(ZkSession session, String line, boolean mutex, boolean reader, Waiter to) {
        this.session = session;
        this.line = line;
        this.mutex = mutex;
        this.reader = reader;
        this.to = to;
    }

    /**
     * Waits behind these entries, the nearest last, as a listing shows them.
     *
     * @param others all entries ahead that conflict with the own one
     * @param own the own entry
     * @param numbered whether the line is ordered by the numbers in the names. Otherwise nothing is inferred from an
     *     entry that goes, except that the line must be listed anew
     */
    void behind(List<String> others, String own, boolean numbered) {
        this.own = own;
        if (numbered && !session.shared() && others.size() == 1) {
            prepared = session.watches().connection();
        }
        String last = others.get(others.size() - 1);
        if (last.equals(nearest)) {
            return;
        }
        if (further != null && others.contains(further) && between.equals(last)) {
            return;
        }
        stop();
        if (numbered && mutex && session.ownEntries().await(path(last), this)) {
            nearest = last;
        } else if (numbered && others.size() > 1 && mayPrepare(others.get(others.size() - 2))) {
            further = others.get(others.size() - 2);
            between = last;
            session.watches().add(path(further), furtherGone);
            if (reader) {
                // If this one goes, the other may let it in without going itself.
                watchNearest(last);
            }
        } else {
            if (numbered && others.size() == 1 && mayPrepare(last)) {
                // First, so that it is known to be watched if the entry ahead turns out to have gone.
                session.watches().add(path(own), ownGone);
            }
            watchNearest(last);
        }
    }

    /** The entries of a shared session may go one by one, in any order, when another program ends it. */
    private boolean mayPrepare(String lastButOne) {
        return !session.shared() && !isOwn(lastButOne);
    }

    private boolean isOwn(String name) {
        return session.ownEntries().at(path(name)) != null;
    }

    private void watchNearest(String name) {
        nearest = name;
        session.watches().add(path(name), nearestGone);
    }

    /**
     * Whether the place is first now that the nearest entry has gone. The entries of one session go in any order if the
     * session ends; so the place may be gone, too, if the nearest one was of its session.
     */
    private boolean isFirst() {
        return prepared == session.watches().connection()
                && session.watches().isSet(path(own))
                && nearest != null
                && !isOwn(nearest);
    }

    /** The last but one may not be read, which need not matter. */
    private void passOver() {
        further = null;
        watchNearest(between);
    }

    /** This node may no longer be read. Returns whether the place can wait without it. */
    boolean canDoWithout(String path) {
        boolean isFurther = further != null && path.equals(path(further));
        if (isFurther) {
            session.watches().remove(path, furtherGone);
            passOver();
        }
        return isFurther;
    }

    private void prepare() {
        watchNearest(between);
        session.watches().add(path(own), ownGone);
        to.moved();
    }

    /** Watches no other entry any more. The own entry's deletion ends the watch on it. */
    void stop() {
        if (nearest != null) {
            session.ownEntries().forget(path(nearest), this);
            session.watches().remove(path(nearest), nearestGone);
            nearest = null;
        }
        if (further != null) {
            session.watches().remove(path(further), furtherGone);
            further = null;
        }
    }

    /** The own entry has gone. If its watch was not told so, no event will tell it. */
    void closed() {
        session.watches().remove(path(own), ownGone);
    }

    /** The entries whose deletion is awaited. */
    List<String> awaited() {
        return Stream.of(Optional.ofNullable(nearest), Optional.ofNullable(further))
                .flatMap(Optional::stream)
                .toList();
    }

    @Override
    public void predecessorRemoved(boolean wasFirst) {
        nearest = null;
        if (wasFirst) {
            to.firstIfItStands();
        } else {
            to.moved();
        }
    }

    private String path(String name) {
        return line + "/" + name;
    }

    /** A watch on an entry ahead. */
    private abstract class Watch implements Watches.Waiter {
        @Override
        public void unwatched() {
            stop();
            to.unwatched();
        }
    }
}
