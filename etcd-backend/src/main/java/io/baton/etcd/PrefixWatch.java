package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Watch;
import io.baton.etcd.wire.EtcdWire.Watcher;
import io.baton.spi.support.RunAll;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows the keys with a prefix: a snapshot, then a watch from its revision. After an ended watch, it resumes from the
 * last revision reported, so it misses nothing, and skips repeated events. It reads a new snapshot only if the server
 * has compacted the revisions in between, or with each attempt while the client may not watch the keys. A store set
 * back to an earlier state ends the session.
 *
 * <p>A watch from the next revision could miss deletions. Servers before 3.4.34 and 3.5.16 lose those of the very
 * revision that is compacted, and still serve watches from it.
 */
final class PrefixWatch {

    /** Receives the keys and their changes. */
    interface Listener {

        /** All keys at one revision, at the beginning and after a gap, and the header with that revision. */
        void snapshot(List<Kv> all, Header header);

        /** The events of one revision. */
        void changed(List<Event> events);

        /** Until a snapshot or {@link #resumed}, changes are not reported. */
        default void interrupted() {}

        /** Changes since the last report, if any, follow at once. */
        default void resumed() {}
    }

    private final EtcdContext context;
    private final String prefix;
    private final String what;
    private final Listener to;

    private final Pages pages = new Pages();

    private boolean closed;
    private boolean troubled;
    private int attempts;
    /** The next revision to report; 0 before the first snapshot. */
    private long next;
    /** Whether a read or a watch is active. Callbacks of an earlier turn are ignored. */
    private boolean busy;

    private int turn;
    private @Nullable Watch watch;

    /**
     * Begins once {@link #connected}.
     *
     * @param what a name for messages, for example {@code the records in config}
     */
    PrefixWatch(EtcdContext context, String prefix, String what, Listener to) {
        this.context = context;
        this.prefix = prefix;
        this.what = what;
        this.to = to;
    }

    /** Handles the first contact, or a reconnect. */
    void connected() {
        attempts = 0;
        begin();
    }

    /** Events are missing: starts again with a snapshot and a new watch. A first snapshot in progress continues. */
    void distrust() {
        if (next == 0) {
            return;
        }
        drop();
        busy = false;
        next = 0;
        begin();
    }

    void close() {
        closed = true;
        resolveTrouble();
        drop();
    }

    private void drop() {
        turn++;
        if (watch != null) {
            watch.close();
            watch = null;
        }
    }

    private void begin() {
        if (closed || busy || !context.inContact()) {
            return;
        }
        busy = true;
        int now = ++turn;
        if (next == 0) {
            read(now);
        } else {
            watch(now);
        }
    }

    private void read(int now) {
        pages.read(context.window(), Range.below(prefix), () -> turn == now, new Pages.Done() {
            @Override
            public void read(List<Kv> all, Header header) {
                RunAll.all(() -> snapshot(all, header), () -> watch(now));
            }

            @Override
            public void failed(Fault why) {
                ended(why);
            }
        });
    }

    private void snapshot(List<Kv> all, Header header) {
        next = header.revision() + 1;
        to.snapshot(all, header);
    }

    private void watch(int now) {
        if (turn != now) {
            return;
        }
        Watch opened = context.wire().watch(Range.below(prefix), next - 1, new Watcher() {
            @Override
            public void created(Header header) {
                // This header's revision does not show which events have been reported.
                if (turn == now) {
                    resolveTrouble();
                    to.resumed();
                }
            }

            @Override
            public void events(List<Event> events, Header header) {
                PrefixWatch.this.events(events, now);
            }

            @Override
            public void ended(Fault why) {
                if (turn == now) {
                    PrefixWatch.this.ended(why);
                }
            }
        });
        if (turn == now) {
            watch = opened;
        }
    }

    private void events(List<Event> events, int now) {
        var revisions = new TreeMap<Long, List<Event>>();
        events.forEach(event -> revisions
                .computeIfAbsent(event.revision(), none -> new ArrayList<>())
                .add(event));
        var steps = new ArrayList<Runnable>();
        for (Map.Entry<Long, List<Event>> one : revisions.entrySet()) {
            steps.add(() -> {
                if (turn == now && one.getKey() >= next) {
                    attempts = 0;
                    next = one.getKey() + 1;
                    to.changed(one.getValue());
                }
            });
        }
        RunAll.all(steps);
    }

    private void ended(Fault why) {
        turn++;
        busy = false;
        watch = null;
        if (why.code() == Code.COMPACTED || why.code() == Code.DENIED) {
            next = 0;
        }
        if (why.code() != Code.COMPACTED && why.code() != Code.LOST) {
            warn(why);
        }
        to.interrupted();
        context.retryLater(attempts++, this::begin);
    }

    /** Only reported as trouble: observers wait, as without contact. */
    private void warn(Fault why) {
        troubled = true;
        context.reportTrouble("Cannot follow " + what, "etcd says " + why.message() + "; it goes on trying");
    }

    private void resolveTrouble() {
        if (troubled) {
            troubled = false;
            context.resolveTrouble("Cannot follow " + what);
        }
    }
}
