package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.spi.Condition;
import io.baton.spi.Peer;
import io.baton.spi.support.AdaptiveLimit.Kind;
import io.baton.spi.support.PendingRequest;
import io.baton.zookeeper.wire.Errors;
import io.baton.zookeeper.wire.Packet;
import io.baton.zookeeper.wire.ZkWire.ZkOp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Applies conditions, operations and removals of entries as one multi.
 *
 * <p>A multi must say whether it creates or overwrites, so each operation assumes that its record exists or not. A
 * multi that fails on an assumption has no effect, and is sent again with the opposite one. A multi cannot check
 * absence, so it creates and deletes the node to show it.
 *
 * <p>The answer has the records that were overwritten, as they are now, where that is known; empty if nothing was
 * applied.
 */
final class Transaction {

    /** A part's role in the multi. It determines the meaning of its failure. */
    private enum Role {
        GUARD,
        TREE_VERSION,
        ASSUMED_PRESENT,
        ASSUMED_ABSENT,
        REQUIRED_ABSENT,
        REST
    }

    private record Part(ZkOp op, Role role, RecordKey key) {}

    private static final byte[] EMPTY = {};
    private static final RecordKey NONE = new RecordKey("none", "none");

    private final ZkSession session;
    private final List<Condition> conditions;
    private final List<Op> ops;
    private final List<String> removed;
    private final PendingRequest<Optional<List<Item>>> ask;
    private final RequestTurn turn;
    private final Map<RecordKey, ZkRevision> expected = new HashMap<>();
    private final Set<RecordKey> requiredAbsent = new HashSet<>();
    private final Set<RecordKey> assumedAbsent = new HashSet<>();
    private int attemptsLeft;
    private boolean foreign;
    private boolean contradictory;

    Transaction(
            ZkSession session,
            SessionRequests requests,
            List<Condition> conditions,
            List<Op> ops,
            List<Peer> removed,
            PendingRequest<Optional<List<Item>>> ask) {
        this.session = session;
        this.conditions = conditions;
        this.ops = ops;
        // The last entry of a line is removed first. The events arrive one by one, and an entry of this list must not
        // appear to be first in between.
        this.removed = removed.stream()
                .sorted(Comparator.comparingLong(Peer::order).reversed())
                .map(this::path)
                .distinct()
                .toList();
        this.ask = ask;
        this.turn = requests.turn(SessionRequests.RECORDS, () -> (int) bytes(), ask, begun -> attempt());
        this.attemptsLeft = 20 + 2 * ops.size();
        for (Condition condition : conditions) {
            if (condition instanceof Condition.Unchanged unchanged) {
                expect(unchanged.key(), unchanged.revision());
            } else if (condition instanceof Condition.Absent absent) {
                requiredAbsent.add(absent.key());
            }
        }
    }

    void start() {
        if (foreign) {
            ask.fail(new CoordinationException("a guard compares with a revision of another store"));
        } else if (contradictory) {
            ask.complete(Optional.empty());
        } else if (bytes() > Packet.MAX_BYTES) {
            ask.fail(new CoordinationException(
                    "a transaction may take " + Packet.MAX_BYTES + " bytes with its paths; this one takes " + bytes()));
        } else {
            turn.enqueue();
        }
    }

    private void expect(RecordKey key, Revision revision) {
        if (revision instanceof ZkRevision ours) {
            ZkRevision other = expected.put(key, ours);
            contradictory |= other != null && !other.equals(ours);
        } else {
            foreign = true;
        }
    }

    private long bytes() {
        return parts().stream()
                .map(Part::op)
                .mapToLong(op -> Packet.bytes(op.path(), op.size()))
                .sum();
    }

    private void attempt() {
        if (!ask.isPending()) {
            return;
        }
        if (!session.connected()) {
            session.onReconnect(ask::isPending, this::attempt);
            return;
        }
        if (attemptsLeft-- == 0) {
            ask.broken("its records were created and deleted all the time", null);
            return;
        }
        List<Part> parts = parts();
        ask.writing();
        Consumer<Code> answered = turn.sent(Kind.COMMIT);
        session.wire().multi(parts.stream().map(Part::op).toList(), (code, failedAt, zxid) -> {
            answered.accept(code);
            if (code == Code.OK) {
                session.removed(removed);
                ask.complete(Optional.of(zxid > 0 ? written(zxid) : List.of()));
            } else if (code == Code.CONNECTIONLOSS) {
                ask.broken("the connection broke", null);
            } else if (code == Code.THROTTLEDOP) {
                ask.notWritten();
                attemptLater();
            } else {
                ask.notWritten();
                failed(code, failedAt < 0 ? null : parts.get(failedAt));
            }
        });
    }

    /** A busy server refused the present attempt without effect, so it does not count. */
    private void attemptLater() {
        attemptsLeft++;
        session.onReconnect(ask::isPending, this::attempt);
    }

    private List<Part> parts() {
        var parts = new ArrayList<Part>();
        var written = new HashSet<RecordKey>();
        ops.forEach(op -> written.add(op.key()));
        var trees = new HashSet<ZkOp>();
        for (Condition condition : conditions) {
            if (condition instanceof Condition.Stands stands) {
                parts.add(new Part(new ZkOp.Check(path(stands.peer()), -1), Role.GUARD, NONE));
            } else if (condition instanceof Condition.Unchanged unchanged) {
                addUnchanged(unchanged.key(), trees, parts);
            } else if (condition instanceof Condition.Absent absent && !written.contains(absent.key())) {
                addAbsence(absent.key(), Role.REQUIRED_ABSENT, parts);
            }
        }
        ops.forEach(op -> add(op, parts));
        removed.forEach(path -> parts.add(new Part(new ZkOp.Delete(path, -1), Role.GUARD, NONE)));
        return parts;
    }

    private String path(Peer peer) {
        return session.address().path(peer.line().path() + "/" + peer.name());
    }

    private void addUnchanged(RecordKey key, Set<ZkOp> trees, List<Part> parts) {
        ZkRevision revision = revision(key);
        // Revisions read at different times may expect different versions of one tree. The older one fails then.
        var tree = new ZkOp.Check(session.tree().recordsRoot(key.tree()), revision.rootVersion());
        if (trees.add(tree)) {
            parts.add(new Part(tree, Role.TREE_VERSION, key));
        }
        String path = session.tree().recordPath(key);
        parts.add(new Part(new ZkOp.Check(path, revision.version()), Role.GUARD, key));
    }

    private ZkRevision revision(RecordKey key) {
        ZkRevision revision = expected.get(key);
        if (revision == null) {
            throw new IllegalStateException("no expectation of " + key);
        }
        return revision;
    }

    private void addAbsence(RecordKey key, Role role, List<Part> parts) {
        String path = session.tree().recordPath(key);
        parts.add(new Part(new ZkOp.Create(path, EMPTY), role, key));
        parts.add(new Part(new ZkOp.Delete(path, -1), Role.REST, key));
    }

    private void add(Op op, List<Part> parts) {
        RecordKey key = op.key();
        String path = session.tree().recordPath(key);
        boolean absent = requiredAbsent.contains(key) || assumedAbsent.contains(key);
        Role ifAbsent = requiredAbsent.contains(key) ? Role.REQUIRED_ABSENT : Role.ASSUMED_ABSENT;
        if (op instanceof Op.Put put) {
            parts.add(
                    absent
                            ? new Part(new ZkOp.Create(path, put.value()), ifAbsent, key)
                            : new Part(new ZkOp.Write(path, put.value(), -1), Role.ASSUMED_PRESENT, key));
        } else if (absent) {
            addAbsence(key, ifAbsent, parts);
        } else {
            String root = session.tree().recordsRoot(key.tree());
            parts.add(new Part(new ZkOp.Delete(path, -1), Role.ASSUMED_PRESENT, key));
            parts.add(new Part(new ZkOp.Write(root, EMPTY, -1), Role.REST, key));
        }
    }

    /**
     * Returns the records that were compared and then overwritten: their versions are known. A deletion raises the
     * version of its tree, the version after two operations on one record is not worked out, and what comes after the
     * largest version depends on the server.
     */
    private List<Item> written(long zxid) {
        boolean plain = ops.stream().allMatch(Op.Put.class::isInstance)
                && ops.stream().map(Op::key).distinct().count() == ops.size();
        if (!plain) {
            return List.of();
        }
        var items = new ArrayList<Item>();
        for (Op op : ops) {
            ZkRevision revision = expected.get(op.key());
            if (revision != null && revision.version() >= 0 && op instanceof Op.Put put) {
                items.add(new Item(op.key(), put.value(), revision.overwritten(zxid)));
            }
        }
        return items;
    }

    private void failed(Code code, @Nullable Part part) {
        if (part == null) {
            ask.fail(Errors.of(ask.what(), code, session.address().root()));
            return;
        }
        Role role = part.role();
        boolean missing = code == Code.NONODE;
        if (role == Role.GUARD && (missing || code == Code.BADVERSION)) {
            ask.complete(Optional.empty());
        } else if (role == Role.TREE_VERSION && code == Code.BADVERSION) {
            reread();
        } else if (role == Role.TREE_VERSION && missing) {
            ask.complete(Optional.empty());
        } else if (role == Role.REQUIRED_ABSENT && code == Code.NODEEXISTS) {
            ask.complete(Optional.empty());
        } else if (role == Role.ASSUMED_PRESENT && missing) {
            assumedAbsent.add(part.key());
            attempt();
        } else if (role == Role.ASSUMED_ABSENT && code == Code.NODEEXISTS) {
            assumedAbsent.remove(part.key());
            attempt();
        } else if ((role == Role.ASSUMED_ABSENT || role == Role.REQUIRED_ABSENT) && missing) {
            String tree = part.key().tree();
            session.tree().makeRecords(tree, made -> recordsMade(made, tree));
        } else {
            ask.fail(Errors.of(ask.what(), code, part.op().path()));
        }
    }

    private void recordsMade(Code code, String tree) {
        if (code == Code.THROTTLEDOP) {
            attemptLater();
        } else if (session.tree().goesOn(code)) {
            attempt();
        } else {
            ask.fail(Errors.of(ask.what(), code, session.tree().recordsRoot(tree)));
        }
    }

    /** Handles a deletion in the tree, perhaps of another record. Records that are unchanged get new expectations. */
    private void reread() {
        List<RecordKey> keys = List.copyOf(expected.keySet());
        int[] open = {keys.size()};
        boolean[] refused = {false};
        for (RecordKey key : keys) {
            Consumer<Code> answered = turn.sent(Kind.READ);
            session.reader().read(key, (code, item) -> {
                answered.accept(code);
                boolean busy = code == Code.THROTTLEDOP;
                boolean same = item.map(now -> now.revision().equals(expected.get(key)))
                        .orElse(false);
                if (code == Code.CONNECTIONLOSS) {
                    ask.broken("the connection broke", null);
                } else if (code != Code.OK && !busy) {
                    ask.fail(Errors.of(ask.what(), code, session.tree().recordPath(key)));
                } else if (!same && !busy) {
                    ask.complete(Optional.empty());
                } else {
                    renew(key, item);
                    refused[0] |= busy;
                    if (--open[0] == 0) {
                        rereadDone(refused[0]);
                    }
                }
            });
        }
    }

    /** All records have been read again, but for those that a busy server has refused to show. */
    private void rereadDone(boolean busy) {
        if (busy) {
            attemptLater();
        } else {
            attempt();
        }
    }

    private void renew(RecordKey key, Optional<Item> item) {
        item.ifPresent(now -> expected.put(key, (ZkRevision) now.revision()));
    }
}
