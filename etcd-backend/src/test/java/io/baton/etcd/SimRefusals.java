package io.baton.etcd;

import io.baton.etcd.SimStore.Command;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a simulated cluster refuses for a while, of what a client may ask: all that takes space (an alarm of NOSPACE), keys of a
 * line that the client's role does not let it read or write, and more operations at once than the members take.
 *
 * <p>As in a real cluster, what takes space and what needs a permission is judged when it is applied, so by all members
 * alike; a transaction is judged by both of its branches, and refused as a whole. The write that uses up the space is applied,
 * and answered as if it had not been. Deletions, reads and renewals take no space. What operators do is never refused.
 */
final class SimRefusals {

    static final Fault DENIED = new Fault(Code.DENIED, "etcdserver: permission denied");
    static final Fault NO_SPACE = new Fault(Code.NO_SPACE, "etcdserver: mvcc: database space exceeded");
    static final Fault TOO_MANY = new Fault(Code.TOO_LARGE, "etcdserver: too many operations in txn request");

    /** What most servers take. */
    private static final int USUAL = 128;

    /** What was refused is asked for again after a second, and an answer may be late. */
    private static final long SOON = Duration.ofSeconds(2).toNanos();

    /** A removal that was refused is asked for again after half a minute at most. */
    private static final long MUCH_LATER = Duration.ofSeconds(31).toNanos();

    /** What may be read between two beats only is not noticed to have been readable. */
    private static final long LONGEST_BEAT = Duration.ofSeconds(6).toNanos();

    private final Simulation sim;
    private final SimCounts counts;
    private final Map<String, Forbidden> lines = new HashMap<>();
    private long fullUntil = Long.MIN_VALUE;
    private boolean filling;
    private int most = USUAL;
    private long fewUntil = Long.MIN_VALUE;

    /** The keys of one line. */
    private static final class Forbidden {
        long readsSince;
        long readsUntil = Long.MIN_VALUE;
        long writesUntil = Long.MIN_VALUE;
    }

    SimRefusals(Simulation sim, SimCounts counts) {
        this.sim = sim;
        this.counts = counts;
    }

    // ---- what befalls the cluster

    /** Its space is used up for so long; {@code byAWrite} if the next one does it. */
    void fill(Duration time, boolean byAWrite) {
        note("out of space for " + time);
        counts.add("out of space");
        filling = byAWrite && !full();
        fullUntil = Math.max(fullUntil, until(time));
    }

    /** Nobody may read the keys that begin so, for so long. */
    void forbidReading(String line, Duration time) {
        note("nobody may read " + line + " for " + time);
        counts.add("permissions to read revoked");
        Forbidden keys = lines.computeIfAbsent(line, any -> new Forbidden());
        boolean noticed = keys.readsUntil == Long.MIN_VALUE || sim.now() > keys.readsUntil + LONGEST_BEAT;
        keys.readsSince = noticed ? sim.now() : keys.readsSince;
        keys.readsUntil = Math.max(keys.readsUntil, until(time));
    }

    /** Nobody may write or delete the keys that begin so, for so long. */
    void forbidWriting(String line, Duration time) {
        note("nobody may write " + line + " for " + time);
        counts.add("permissions to write revoked");
        Forbidden keys = lines.computeIfAbsent(line, any -> new Forbidden());
        keys.writesUntil = Math.max(keys.writesUntil, until(time));
    }

    /** The members take no more operations at once, for so long. */
    void limit(int operations, Duration time) {
        note("no more than " + operations + " operations for " + time);
        counts.add("operations limited");
        most = operations;
        fewUntil = until(time);
    }

    /** All is allowed again. */
    void end() {
        long now = sim.now();
        fullUntil = Math.min(fullUntil, now);
        filling = false;
        fewUntil = Math.min(fewUntil, now);
        lines.values().forEach(keys -> {
            keys.readsUntil = Math.min(keys.readsUntil, now);
            keys.writesUntil = Math.min(keys.writesUntil, now);
        });
    }

    // ---- what comes of it

    /** Before it is handed to anybody. */
    Fault judge(Txn txn) {
        boolean few = sim.now() < fewUntil;
        return few && longest(txn) > most ? refuse("too many operations", TOO_MANY) : Fault.NONE;
    }

    /** When it is read. */
    Fault reading(Txn txn) {
        return permitted(txn) ? Fault.NONE : refuse("reads denied", DENIED);
    }

    boolean permits(Range watched) {
        return mayRead(watched.key());
    }

    /** What is applied instead of this, as a client has asked for it. */
    Command applied(Command command, SimStore head) {
        if (command instanceof Command.Apply apply) {
            return applied(apply);
        } else if (command instanceof Command.Grant) {
            return full() ? new Command.Refused(refuse("leases not granted", NO_SPACE)) : command;
        } else if (command instanceof Command.Revoke revoke
                && !head.keysOf(revoke.lease()).stream().allMatch(this::mayWrite)) {
            return new Command.Refused(refuse("revocations denied", DENIED));
        }
        return command;
    }

    private Command applied(Command.Apply apply) {
        if (!permitted(apply.txn())) {
            return new Command.Refused(refuse("writes denied", DENIED));
        } else if (!full() || branches(apply.txn()).noneMatch(Put.class::isInstance)) {
            return apply;
        } else if (filling) {
            filling = false;
            counts.add("applied and out of space");
            return new Command.Filling(apply);
        }
        return new Command.Refused(refuse("no space", NO_SPACE));
    }

    private boolean permitted(Txn txn) {
        return lines.isEmpty()
                || txn.ifs().stream().allMatch(compare -> mayRead(key(compare)))
                        && branches(txn).allMatch(this::permitted);
    }

    private boolean permitted(Request request) {
        if (request instanceof Range range) {
            return mayRead(range.key());
        }
        return mayWrite(request instanceof Put put ? put.key() : ((Delete) request).key());
    }

    private boolean mayRead(String key) {
        return lines.entrySet().stream()
                .noneMatch(line -> key.startsWith(line.getKey()) && sim.now() < line.getValue().readsUntil);
    }

    private boolean mayWrite(String key) {
        return lines.entrySet().stream()
                .noneMatch(line -> key.startsWith(line.getKey()) && sim.now() < line.getValue().writesUntil);
    }

    private static String key(Compare compare) {
        return compare instanceof Compare.Created created ? created.key() : ((Compare.Written) compare).key();
    }

    private static Stream<Request> branches(Txn txn) {
        return Stream.concat(txn.then().stream(), txn.otherwise().stream());
    }

    private static int longest(Txn txn) {
        return Math.max(
                txn.ifs().size(), Math.max(txn.then().size(), txn.otherwise().size()));
    }

    private boolean full() {
        return sim.now() < fullUntil;
    }

    private Fault refuse(String why, Fault fault) {
        counts.add("refused: " + why);
        return fault;
    }

    // ---- for those who judge

    /** See {@link io.baton.tck.sim.lock.LockTruth#unrefusedNanos}; the line's keys begin so. */
    long unrefusedNanos(String line) {
        long since = Math.max(after(fullUntil, SOON), after(fewUntil, SOON));
        Forbidden keys = lines.get(line);
        if (keys != null) {
            since = Math.max(since, after(Math.max(keys.readsUntil, keys.writesUntil), MUCH_LATER));
        }
        return since == Long.MIN_VALUE ? Long.MAX_VALUE : Math.max(0, sim.now() - since);
    }

    /** See {@link io.baton.tck.sim.lock.LockTruth#unseenNanos}. A last answer may be on its way. */
    long unseenNanos(String line) {
        Forbidden keys = lines.get(line);
        boolean unseen = keys != null && keys.readsUntil != Long.MIN_VALUE && sim.now() < keys.readsUntil + SOON;
        return unseen ? sim.now() - keys.readsSince : 0;
    }

    private static long after(long end, long rest) {
        return end == Long.MIN_VALUE ? end : end + rest;
    }

    private long until(Duration time) {
        return sim.now() + time.toNanos();
    }

    private void note(String what) {
        sim.note("etcd", what);
    }
}
