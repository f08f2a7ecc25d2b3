package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.spi.Entry;
import io.baton.spi.HeadListener;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.zookeeper.wire.ZkWire.Change;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Follows the first entry of a line. It sets a recursive watch and lists once. From then on the events keep its set of
 * entries, as replies and events arrive in one order. It reads each new first entry once. After each reconnect it lists
 * again, as a watch misses changes while disconnected.
 *
 * <p>An entry that goes before it can be read is skipped. Only one read is in flight at a time: its answer, and the
 * events before it, show which entry is first then.
 */
final class HeadWatch {

    private final ZkSession session;
    private final Line line;
    private final Naming naming;
    private final HeadListener to;
    private final Map<String, EntryName> entries = new HashMap<>();

    private boolean closed;
    private boolean listed;
    private boolean looking;
    private boolean rewritten;
    private boolean troubled;
    private boolean foreign;
    private int contact;
    private int attempts;
    private boolean begun;
    private @Nullable Entry told;

    HeadWatch(ZkSession session, Line line, HeadListener to) {
        this.session = session;
        this.line = line;
        this.naming = Naming.of(line.dialect());
        this.to = to;
    }

    String path() {
        return session.address().path(line.path());
    }

    /** Handles the first contact, or a reconnect. */
    void connected() {
        attempts = 0;
        begin();
    }

    void close() {
        closed = true;
        resolveTrouble();
        if (foreign) {
            session.resolveTrouble(notAllOurs());
        }
    }

    /**
     * Compares with a listing of an audit. The events before its answer should have shown the same entries. A rewritten
     * first entry shows only by reading it again.
     */
    void audit(Set<String> names) {
        if (closed || !listed) {
            return;
        }
        Set<String> standing = new HashSet<>();
        for (String name : names) {
            if (parse(name) != null) {
                standing.add(name);
            }
        }
        if (standing.equals(entries.keySet())) {
            rewritten = true;
            readFirst();
        } else {
            begin();
        }
    }

    /** An audit found that the line may no longer be read. A restart reports that, and retries. */
    void unreadable() {
        if (!closed && listed) {
            begin();
        }
    }

    /** Handles an event at this path. */
    void changed(String path, Change change) {
        int slash = path.lastIndexOf('/');
        if (closed || !listed) {
            return;
        }
        if (path.equals(path())) {
            if (change == Change.DELETED) {
                begin();
            }
        } else if (path.substring(0, slash).equals(path())) {
            changed(change, path.substring(slash + 1));
        }
    }

    private void changed(Change change, String name) {
        switch (change) {
            case CREATED -> add(name);
            case DELETED -> entries.remove(name);
            case WRITTEN -> rewritten |= told != null && told.peer().name().equals(name);
        }
        readFirst();
    }

    private void begin() {
        if (closed || !session.connected()) {
            return;
        }
        listed = false;
        looking = false;
        int now = ++contact;
        Code[] followed = {Code.CONNECTIONLOSS};
        session.wire().follow(path(), (code, nothing) -> followed[0] = code);
        session.listings().list(path(), new LineListings.Taker() {
            @Override
            public void listed(Code code, @Nullable Listing listing) {
                boolean answered = code == Code.OK || code == Code.NONODE;
                if (now != contact || closed) {
                    return;
                }
                if (followed[0] == Code.OK && answered) {
                    HeadWatch.this.listed(listing == null ? Set.of() : listing.names());
                } else {
                    warn(answered ? followed[0] : code);
                    retryLater(now);
                }
            }

            @Override
            public void tooLong(CoordinationException why) {
                if (now == contact && !closed) {
                    warn(String.valueOf(why.getMessage()));
                    retryLater(now);
                }
            }
        });
    }

    private void listed(Set<String> names) {
        listed = true;
        rewritten = true;
        entries.clear();
        names.forEach(this::add);
        readFirst();
    }

    /** Skips entries of programs that would not respect Baton's. In such a line no Baton place stands. */
    private void add(String name) {
        EntryName entry = parse(name);
        if (entry != null) {
            entries.put(name, entry);
        }
    }

    private @Nullable EntryName parse(String name) {
        try {
            return naming.parse(name);
        } catch (ForeignEntryException foreign) {
            this.foreign = true;
            session.reportTrouble(notAllOurs(), String.valueOf(foreign.getMessage()));
            return null;
        }
    }

    /** Finds the first entry, and notifies the listener if it has changed. */
    private void readFirst() {
        if (looking || !listed) {
            return;
        }
        if (entries.isEmpty()) {
            notifyListener(null);
        } else if (entries.values().stream().allMatch(EntryName::numbered)) {
            EntryName first =
                    entries.values().stream().min(EntryName.LINE_ORDER).orElseThrow();
            readEntry(first.name(), first.sequence());
        } else {
            readByCzxid();
        }
    }

    private void readEntry(String first, long order) {
        Entry before = told;
        if (before != null && before.peer().name().equals(first) && !rewritten) {
            return;
        }
        looking = true;
        rewritten = false;
        int now = contact;
        session.wire().read(path() + "/" + first, (code, node) -> {
            if (now != contact || closed) {
                return;
            }
            looking = false;
            if (code == Code.OK && node != null) {
                attempts = 0;
                String owner = "0x" + Long.toHexString(node.owner());
                notifyListener(new Entry(new Peer(line, first, order), node.czxid(), node.data(), owner));
                readFirst();
            } else if (code == Code.NONODE) {
                entries.remove(first);
                readFirst();
            } else if (code != Code.CONNECTIONLOSS) {
                warn(code);
                retryLater(now);
            }
        });
    }

    /** Orders by czxid, where the sequence numbers cannot be used. */
    private void readByCzxid() {
        looking = true;
        int now = contact;
        session.czxidOrder().order(path(), List.copyOf(entries.values()), (failed, born, complete) -> {
            if (now != contact || closed) {
                return;
            }
            looking = false;
            if (failed != null) {
                retryLater(now);
            } else if (born.isEmpty() || !entries.containsKey(born.get(0).name())) {
                retryLater(now);
            } else {
                readEntry(born.get(0).name(), born.get(0).czxid());
            }
        });
    }

    private void notifyListener(@Nullable Entry first) {
        resolveTrouble();
        if (!(begun && same(told, first))) {
            begun = true;
            told = first;
            to.head(Optional.ofNullable(first));
        }
    }

    private static boolean same(@Nullable Entry one, @Nullable Entry other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        return one.token() == other.token() && Arrays.equals(one.payload(), other.payload());
    }

    /** Restarts after a pause that grows with each attempt. */
    private void retryLater(int begun) {
        session.retryLater(attempts++, () -> {
            if (begun == contact) {
                begin();
            }
        });
    }

    /** Only reported as trouble: observers wait, as without contact. */
    private void warn(Code code) {
        if (code == Code.NOAUTH) {
            warn("this client may not read it");
        }
    }

    private void warn(String why) {
        troubled = true;
        session.reportTrouble(notKnown(), why + "; it goes on trying");
    }

    private void resolveTrouble() {
        if (troubled) {
            troubled = false;
            session.resolveTrouble(notKnown());
        }
    }

    private String notKnown() {
        return "Cannot tell who is first in " + line;
    }

    private String notAllOurs() {
        return "Not every entry in " + line + " is understood, and those are passed over";
    }
}
