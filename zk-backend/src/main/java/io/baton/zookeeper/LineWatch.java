package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.spi.Line;
import io.baton.spi.support.RepeatedRefusal;
import io.baton.zookeeper.wire.ZkWire.Change;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Follows the entries of a line. It sets a recursive watch and lists once. From then on the events keep its set of
 * entries, as replies and events arrive in one order. After each reconnect it lists again, as a watch misses changes
 * while disconnected.
 */
abstract class LineWatch {

    private final ZkSession session;
    private final Line line;
    private final Naming naming;
    private final String unknown;
    private final Map<String, EntryName> entries = new HashMap<>();

    private boolean closed;
    private boolean listed;
    private boolean troubled;
    private boolean foreign;
    private int contact;
    private int attempts;

    /** Creates a watch; {@code unknown} says for people what is not known while the line cannot be read. */
    LineWatch(ZkSession session, Line line, String unknown) {
        this.session = session;
        this.line = line;
        this.naming = Naming.of(line);
        this.unknown = unknown;
    }

    /** The line was listed anew. */
    abstract void listed();

    /** An entry has come or gone. */
    abstract void moved();

    /** An entry was written. */
    abstract void written(String name);

    /** An audit has found the entries as they are known. */
    abstract void confirmed();

    ZkSession session() {
        return session;
    }

    Line line() {
        return line;
    }

    /** The contenders, unordered. */
    Collection<EntryName> entries() {
        return entries.values();
    }

    /** Forgets an entry that was found to be gone. */
    void forget(String name) {
        entries.remove(name);
    }

    /** Whether the entry is in the line, as far as the events have shown. */
    boolean stands(String name) {
        return entries.containsKey(name);
    }

    /** Whether the entries are known. */
    boolean isListed() {
        return listed;
    }

    /** A number for the present listing and the events since. */
    int contact() {
        return contact;
    }

    /** Whether an answer to a request made then still counts. */
    boolean counts(int then) {
        return then == contact && !closed;
    }

    /** The line could be read. */
    void succeeded() {
        attempts = 0;
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
     * Compares with a listing of an audit. The events before its answer should have shown the same entries.
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
            confirmed();
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
            case WRITTEN -> written(name);
        }
        moved();
    }

    private void begin() {
        if (closed || !session.connected()) {
            return;
        }
        listed = false;
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
                    take(listing == null ? Set.of() : listing.names());
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

    private void take(Set<String> names) {
        listed = true;
        entries.clear();
        names.forEach(this::add);
        listed();
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

    /** Restarts after a pause that grows with each attempt. */
    void retryLater(int begun) {
        session.retryLater(attempts++, () -> {
            if (begun == contact) {
                begin();
            }
        });
    }

    /** Only reported as trouble: observers wait, as without contact. */
    void warn(Code code) {
        if (code == Code.NOAUTH) {
            warn("this client may not read it");
        } else if (code != Code.CONNECTIONLOSS && attempts + 1 >= RepeatedRefusal.MANY) {
            warn("ZooKeeper says " + code);
        }
    }

    private void warn(String why) {
        troubled = true;
        session.reportTrouble(notKnown(), why + "; it goes on trying");
    }

    void resolveTrouble() {
        if (troubled) {
            troubled = false;
            session.resolveTrouble(notKnown());
        }
    }

    private String notKnown() {
        return "Cannot tell " + unknown + " in " + line;
    }

    private String notAllOurs() {
        return "Not every entry in " + line + " is understood, and those are passed over";
    }
}
