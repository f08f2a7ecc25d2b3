package io.baton.memory;

import io.baton.CoordinationException;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire;
import io.baton.spi.kernel.StepWire.Departure;
import io.baton.spi.kernel.StepWire.Joining;
import io.baton.spi.kernel.StepWire.Reply;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The server's part of the store: leases, lines and records under one lock. Clients are notified by tasks for their
 * loops. Tasks are posted under the lock, so in the order of events; none runs under it.
 */
final class MemoryServer {

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Lease> leases = new LinkedHashSet<>();
    private final Set<String> cutOff = new HashSet<>();
    private final List<Outage> outages = new ArrayList<>();
    private final Lines lines = new Lines(this::lineChanged);
    private final Values values = new Values(this::next);
    private boolean allCutOff;
    private long lastNumber;
    private long lastSession;

    // ---- for wires ----

    String nextId() {
        return locked(() -> "mem-" + ++lastSession);
    }

    /** Returns the wire of a session that has not begun. */
    StepWire open(String id, Duration ttl, String client, Loop loop, StepWire.Events to) {
        Lease lease = new Lease(id, client, ttl, loop, to, (when, what) -> breaks(client, when, what));
        return new MemoryWire(this, lease);
    }

    /** Serves an attach now, or once there is contact. */
    void attach(Lease lease, Runnable serve) {
        locked(() -> {
            reap(lease.nanoTime());
            leases.add(lease);
            lease.attach(serve);
            if (!shouldBeCut(lease)) {
                lease.connect();
                sweep();
            }
            return true;
        });
    }

    <T> void serve(Lease lease, String name, Supplier<T> step, Reply<T> reply) {
        locked(() -> {
            reap(lease.nanoTime());
            lease.serve(name, step, reply);
            return true;
        });
    }

    void unfollow(Lease lease, Topic topic) {
        locked(() -> lease.followed.remove(topic));
    }

    /** Ends a client's session. */
    void end(Lease lease, Reply<Boolean> reply) {
        serve(
                lease,
                "end",
                () -> {
                    end(lease, new SessionLostException("session " + lease.id() + " was closed"));
                    return true;
                },
                reply);
    }

    /** The client has gone. Its entries stay until its session ends. */
    void close(Lease lease) {
        locked(() -> {
            lease.close();
            sweep();
            return true;
        });
    }

    // ---- in steps: the lock is held ----

    Standing join(Lease lease, Joining joining) {
        long number = next();
        Peer peer = new Peer(joining.line(), joining.name(), number, joining.claim());
        MemoryEntry entry = new MemoryEntry(new Entry(peer, number, joining.payload(), lease.id()), lease);
        lines.add(entry);
        return entry.standing();
    }

    void leave(List<Departure> leaving) {
        lines.remove(leaving.stream().map(lines::find).filter(Objects::nonNull).toList());
    }

    boolean downgrade(Departure departure) {
        MemoryEntry entry = lines.find(departure);
        if (entry != null) {
            lines.downgrade(entry);
        }
        return entry != null;
    }

    /** Returns the present version of a topic. */
    long version(Topic topic) {
        if (topic instanceof Topic.Head head) {
            return lines.headVersion(Lines.key(head.line()));
        }
        if (topic instanceof Topic.Entries entries) {
            return lines.version(Lines.key(entries.line()));
        }
        return values.version(((Topic.Tree) topic).tree());
    }

    Lines lines() {
        return lines;
    }

    Values values() {
        return values;
    }

    boolean transact(List<Condition> conditions, List<Op> ops, List<Peer> removed) {
        List<MemoryEntry> leaving =
                removed.stream().map(lines::find).filter(Objects::nonNull).toList();
        if (!conditions.stream().allMatch(this::holds) || leaving.size() < removed.size()) {
            return false;
        }
        remove(leaving);
        values.apply(ops).forEach(tree -> changed(new Topic.Tree(tree)::equals));
        return true;
    }

    // ---- controls ----

    List<String> alive() {
        return locked(() -> {
            reap();
            return leases.stream().filter(Lease::isAlive).map(Lease::id).toList();
        });
    }

    List<Peer> peers(String line) {
        return locked(() -> {
            reap();
            return lines.peers(line);
        });
    }

    boolean removeEntry(Peer peer) {
        return locked(() -> {
            MemoryEntry contender = lines.find(peer);
            if (contender == null) {
                return false;
            }
            remove(List.of(contender));
            return true;
        });
    }

    void expire(Predicate<Lease> which) {
        locked(() -> {
            leases.stream().filter(Lease::isAlive).filter(which).toList().forEach(this::expire);
            return true;
        });
    }

    void suspend() {
        locked(() -> {
            allCutOff = true;
            return followContact();
        });
    }

    void suspend(String client) {
        locked(() -> {
            cutOff.add(client);
            return followContact();
        });
    }

    void resume() {
        locked(() -> {
            allCutOff = false;
            cutOff.clear();
            return followContact();
        });
    }

    Outage arm(Outage outage) {
        locked(() -> outages.add(outage));
        return outage;
    }

    // ---- under the lock ----

    /** Removes entries. Their owners are notified before the contenders that become first. */
    private void remove(List<MemoryEntry> leaving) {
        for (MemoryEntry contender : leaving) {
            Peer peer = contender.peer();
            Lease owner = contender.lease();
            owner.notify("gone", () -> owner.events().gone(peer.name()));
        }
        lines.remove(leaving);
    }

    private void lineChanged(String path) {
        changed(topic -> (topic instanceof Topic.Head head
                        && Lines.key(head.line()).equals(path)
                        && lines.headVersion(path) == lines.version(path))
                || (topic instanceof Topic.Entries entries
                        && Lines.key(entries.line()).equals(path)));
    }

    private void changed(Predicate<Topic> which) {
        leases.forEach(lease -> lease.followed.stream().filter(which).toList().forEach(topic -> {
            long version = version(topic);
            lease.notify("changed", () -> lease.events().changed(topic, version));
        }));
    }

    private boolean breaks(String client, Outage.When when, String what) {
        outages.removeIf(Outage::isDone);
        return outages.stream()
                .filter(outage -> outage.triggers(client, when, what))
                .findFirst()
                .isPresent();
    }

    private long next() {
        return ++lastNumber;
    }

    private boolean holds(Condition condition) {
        if (condition instanceof Condition.Stands stands) {
            return lines.find(stands.peer()) != null;
        }
        if (condition instanceof Condition.Unchanged unchanged) {
            return values.unchanged(unchanged.key(), unchanged.revision());
        }
        RecordKey key = ((Condition.Absent) condition).key();
        return values.get(key).isEmpty();
    }

    private boolean shouldBeCut(Lease lease) {
        return allCutOff || cutOff.contains(lease.client());
    }

    private boolean followContact() {
        reap();
        for (Lease lease : List.copyOf(leases)) {
            if (shouldBeCut(lease)) {
                lease.cut("the contact was cut");
            } else {
                lease.connect();
            }
        }
        sweep();
        return true;
    }

    private void reap() {
        List.copyOf(leases).forEach(lease -> reap(lease.nanoTime()));
    }

    /** Ends leases not renewed in time, by any client's clock, so that the entries of a frozen client go. */
    private void reap(long nowNanos) {
        leases.stream()
                .filter(lease -> lease.isAlive() && nowNanos - lease.endsNanos() >= 0)
                .toList()
                .forEach(this::expire);
    }

    private void expire(Lease lease) {
        end(
                lease,
                new SessionLostException(
                        "session " + lease.id() + " of '" + lease.client() + "' has expired at the store"));
    }

    private void end(Lease lease, CoordinationException why) {
        if (lease.isAlive()) {
            lines.remove(lease.entries);
            lease.end(why);
            sweep();
        }
    }

    private void sweep() {
        leases.removeIf(Lease::isDisposable);
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
