package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Order;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Txn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What every member of a simulated cluster makes of the same commands: keys, revisions, leases. */
final class SimStore {

    private static final byte[] NONE = {};

    private final TreeMap<String, Kv> keys = new TreeMap<>();
    private final Map<Long, Duration> leases = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private long revision = 1;
    private long compacted;

    /** What the members agree on. */
    sealed interface Command {
        record Apply(Txn txn) implements Command {}

        record Grant(long lease, Duration ttl) implements Command {}

        record Revoke(long lease) implements Command {}

        record Compact(long revision) implements Command {}

        /** Changes nothing; whoever asked is told why. */
        record Refused(Fault why) implements Command {}

        /** Is applied, and uses up the space: whoever asked is told of that. */
        record Filling(Apply apply) implements Command {}

        /** Of a leader that has just been elected. */
        record Nothing() implements Command {}
    }

    /** What came of a command; nothing was changed unless there was no fault. */
    record Outcome(Fault fault, boolean met, List<Part> parts, List<Event> events, long revision) {}

    /** What a key was before a revision. */
    private record Change(
            long revision, String key, @Nullable Kv before) {}

    /** Another one with the same in it. */
    SimStore copy() {
        var copy = new SimStore();
        copy.keys.putAll(keys);
        copy.leases.putAll(leases);
        copy.changes.addAll(changes);
        copy.revision = revision;
        copy.compacted = compacted;
        return copy;
    }

    long revision() {
        return revision;
    }

    long compacted() {
        return compacted;
    }

    Map<Long, Duration> leases() {
        return leases;
    }

    Outcome apply(Command command) {
        var events = new ArrayList<Event>();
        if (command instanceof Command.Apply apply) {
            return apply(apply.txn());
        } else if (command instanceof Command.Refused refused) {
            return outcome(refused.why(), false, List.of());
        } else if (command instanceof Command.Filling filling) {
            Outcome applied = apply(filling.apply().txn());
            Fault told = applied.fault().ok() ? SimRefusals.NO_SPACE : applied.fault();
            return new Outcome(told, applied.met(), List.of(), applied.events(), applied.revision());
        } else if (command instanceof Command.Grant grant) {
            leases.put(grant.lease(), grant.ttl());
        } else if (command instanceof Command.Compact compact) {
            compacted = Math.max(compacted, compact.revision());
        } else if (command instanceof Command.Revoke revoke) {
            if (leases.remove(revoke.lease()) == null) {
                return outcome(new Fault(Code.NO_LEASE, "etcdserver: requested lease not found"), false, List.of());
            }
            keysOf(revoke.lease()).forEach(key -> delete(key, events));
            revision += events.isEmpty() ? 0 : 1;
        }
        return new Outcome(Fault.NONE, true, List.of(), events, revision);
    }

    /** What a transaction without writes answers. */
    Outcome read(Txn txn) {
        return apply(txn);
    }

    List<String> keysOf(long lease) {
        return keys.values().stream()
                .filter(kv -> kv.lease() == lease)
                .map(Kv::key)
                .toList();
    }

    @Nullable
    Kv find(String key) {
        return keys.get(key);
    }

    Part range(Range range) {
        List<Kv> all = all(range);
        if (all.isEmpty()) {
            return new Part(all, 0);
        }
        var found = all.stream().filter(kv -> range.maxCreated() == 0 || kv.created() <= range.maxCreated());
        if (range.order() == Order.LAST_CREATED) {
            found = found.sorted(Comparator.comparingLong(Kv::created).reversed());
        } else if (range.order() == Order.LAST_WRITTEN) {
            found = found.sorted(Comparator.comparingLong(Kv::written).reversed());
        }
        if (range.limit() > 0) {
            found = found.limit(range.limit());
        }
        List<Kv> told = found.map(
                        kv -> range.values() ? kv : new Kv(kv.key(), NONE, kv.created(), kv.written(), kv.lease()))
                .toList();
        return new Part(told, all.size());
    }

    /** The keys that begin so lie together, and are the first ones from there on. */
    private List<Kv> all(Range range) {
        var all = new ArrayList<Kv>();
        boolean further = range.after().compareTo(range.key()) >= 0;
        String from = further ? range.after() : range.key();
        for (Kv kv : at(range.revision()).tailMap(from, !further).values()) {
            boolean in =
                    range.prefix() ? kv.key().startsWith(range.key()) : kv.key().equals(range.key());
            if (!in) {
                break;
            }
            all.add(kv);
        }
        return List.copyOf(all);
    }

    /** All keys as they were then; now, if that is 0. */
    private NavigableMap<String, Kv> at(long then) {
        if (then == 0) {
            return keys;
        }
        var past = new TreeMap<>(keys);
        for (int i = changes.size() - 1; i >= 0 && changes.get(i).revision() > then; i--) {
            Kv before = changes.get(i).before();
            if (before == null) {
                past.remove(changes.get(i).key());
            } else {
                past.put(changes.get(i).key(), before);
            }
        }
        return past;
    }

    private void set(String key, @Nullable Kv value) {
        Kv before = value == null ? keys.remove(key) : keys.put(key, value);
        changes.add(new Change(revision + 1, key, before));
    }

    private Fault readable(Request request) {
        long then = request instanceof Range range ? range.revision() : 0;
        if (then > revision) {
            return new Fault(Code.REFUSED, "etcdserver: mvcc: required revision is a future revision");
        }
        return then != 0 && then < compacted
                ? new Fault(Code.COMPACTED, "etcdserver: mvcc: required revision has been compacted")
                : Fault.NONE;
    }

    private Outcome apply(Txn txn) {
        boolean met = txn.ifs().stream().allMatch(this::holds);
        List<Request> branch = met ? txn.then() : txn.otherwise();
        for (Request request : branch) {
            if (request instanceof Put put && put.lease() == Put.SAME_LEASE && !keys.containsKey(put.key())) {
                return outcome(new Fault(Code.REFUSED, "etcdserver: key not found"), met, List.of());
            }
            if (request instanceof Put put && put.lease() > 0 && !leases.containsKey(put.lease())) {
                return outcome(new Fault(Code.NO_LEASE, "etcdserver: requested lease not found"), met, List.of());
            }
        }
        for (Request request : branch) {
            Fault unreadable = readable(request);
            if (!unreadable.ok()) {
                return outcome(unreadable, met, List.of());
            }
        }
        var events = new ArrayList<Event>();
        var parts = new ArrayList<Part>();
        for (Request request : branch) {
            parts.add(perform(request, events));
        }
        revision += events.isEmpty() ? 0 : 1;
        return new Outcome(Fault.NONE, met, parts, events, revision);
    }

    private Outcome outcome(Fault fault, boolean met, List<Part> parts) {
        return new Outcome(fault, met, parts, List.of(), revision);
    }

    private boolean holds(Compare compare) {
        if (compare instanceof Compare.Created created) {
            Kv kv = keys.get(created.key());
            return (kv == null ? 0 : kv.created()) == created.revision();
        }
        Compare.Written written = (Compare.Written) compare;
        Kv kv = keys.get(written.key());
        return (kv == null ? 0 : kv.written()) == written.revision();
    }

    private Part perform(Request request, List<Event> events) {
        if (request instanceof Range range) {
            return range(range);
        } else if (request instanceof Put put) {
            Kv old = keys.get(put.key());
            long next = revision + 1;
            long created = old == null ? next : old.created();
            long lease = put.lease() == Put.SAME_LEASE && old != null ? old.lease() : put.lease();
            set(put.key(), new Kv(put.key(), put.value(), created, next, lease));
            events.add(new Event(put.key(), false, put.value(), created, next));
            return new Part(List.of(), 0);
        }
        return new Part(List.of(), delete(((Delete) request).key(), events));
    }

    private int delete(String key, List<Event> events) {
        if (!keys.containsKey(key)) {
            return 0;
        }
        set(key, null);
        events.add(new Event(key, true, NONE, 0, revision + 1));
        return 1;
    }
}
