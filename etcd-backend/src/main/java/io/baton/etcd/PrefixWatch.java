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
 * Follows the keys that begin so: a snapshot, then a watch from that revision. A watch that has ended is followed by
 * another from the last revision told, so that nothing is missed; what is told again is left out. Only where the server has
 * forgotten what was in between there is a snapshot again. A store that has been set back ends the session.
 *
 * <p>A watch from the revision after would miss deletions there: servers before 3.4.34 and 3.5.16 forget those of the very
 * revision that is compacted, and serve watches from it all the same.
 */
final class PrefixWatch {

    /** Told what is there, and what happens to it. */
    interface Listener {

        /** All keys as they were together, to begin with and after a gap, and the header with that revision. */
        void snapshot(List<Kv> all, Header header);

        /** What happened in one revision. */
        void changed(List<Event> events);
    }

    private final EtcdContext context;
    private final String prefix;
    private final String what;
    private final Listener to;

    private final Pages pages = new Pages();

    private boolean closed;
    private boolean troubled;
    private int attempts;
    /** The revision from which nothing has been told; 0 if not even a snapshot has. */
    private long next;
    /** Reading or watching; what an earlier turn still hears does not count. */
    private boolean busy;

    private int turn;
    private @Nullable Watch watch;

    /**
     * Begins once {@link #connected}.
     *
     * @param what for people, as {@code the records in config}
     */
    PrefixWatch(EtcdContext context, String prefix, String what, Listener to) {
        this.context = context;
        this.prefix = prefix;
        this.what = what;
        this.to = to;
    }

    /** In contact, for the first time or again. */
    void connected() {
        attempts = 0;
        begin();
    }

    /** Not all has been told: there is a snapshot again, and another watch; one that is being read goes on. */
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
                // Its revision says nothing of what has been told.
                if (turn == now) {
                    resolveTrouble();
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
                    next = one.getKey() + 1;
                    to.changed(one.getValue());
                }
            });
        }
        attempts = 0;
        RunAll.all(steps);
    }

    private void ended(Fault why) {
        turn++;
        busy = false;
        watch = null;
        if (why.code() == Code.COMPACTED) {
            next = 0;
        } else if (why.code() != Code.LOST) {
            warn(why);
        }
        context.retryLater(attempts++, this::begin);
    }

    /** There is nobody to be told but whoever reads the log: those who observe wait, as without contact. */
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
