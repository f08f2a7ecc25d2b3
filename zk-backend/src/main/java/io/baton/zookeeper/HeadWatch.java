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
 * Follows who stands first in a line: a recursive watch, then one listing, and from then on the events keep the set of
 * those who stand there, as replies and events come in one order. Whoever comes to be first is read once. A watch tells
 * nothing of what happened while disconnected, so each reconnection lists again.
 *
 * <p>An entry that has gone before it could be read is passed over. Nobody is read while another read is under way: its
 * answer, and the events before it, tell who is first then.
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

    /** In contact, for the first time or again. */
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
     * A listing made in passing, to catch what the server failed to tell: what was told before it came is all that had
     * happened. That the first was written anew shows only if he is read again.
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

    /** The line may no longer be read, an audit has found: begins anew, which says so and goes on trying. */
    void unreadable() {
        if (!closed && listed) {
            begin();
        }
    }

    /** Something has happened at this path. */
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

    /** Not those of programs that would not respect ours: where there are such, nobody of ours stands. */
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

    /** Finds out who is first, and tells if that has changed. */
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

    /** The order by the transactions that made the entries, where the sequence numbers no longer tell it. */
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

    /** Begins anew, more and more slowly. */
    private void retryLater(int begun) {
        session.retryLater(attempts++, () -> {
            if (begun == contact) {
                begin();
            }
        });
    }

    /** There is nobody to be told but whoever reads the log: those who observe wait, as without contact. */
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
