package io.baton.memory;

import io.baton.CoordinationException;
import io.baton.LockLostException;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import io.baton.spi.SessionSpec;
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

    // ---- for sessions ----

    /** Returns a lease with an id of its own, not yet begun. */
    Lease lease(SessionSpec spec, Loop loop, Lease.Client client) {
        return locked(() -> new Lease("mem-" + ++lastSession, spec, loop, client, contact(spec.client())));
    }

    void open(Lease lease) {
        locked(() -> {
            reap(lease.nanoTime());
            leases.add(lease);
            if (!shouldBeCut(lease)) {
                lease.connect();
            }
            return true;
        });
    }

    /** Renews the lease as of when the client asked. Returns false if there is no contact, or the lease has ended. */
    boolean renew(Lease lease, long sentNanos) {
        return locked(() -> {
            reap(sentNanos);
            if (!lease.alive() || lease.isCut()) {
                return false;
            }
            return lease.renewAndConfirm(sentNanos);
        });
    }

    /** Serves or refuses a request; returns false if it waits for contact. */
    boolean request(Lease lease, Request request) {
        return locked(() -> {
            reap(lease.nanoTime());
            return lease.request(request);
        });
    }

    boolean withdraw(Lease lease, Request request) {
        return locked(() -> lease.withdraw(request));
    }

    /** Ends a client's session. Out of contact, the entries stay until there is contact or the lease runs out. */
    void close(Lease lease, CoordinationException why) {
        locked(() -> {
            if (lease.isCut()) {
                lease.abandon(why);
                sweep();
            } else {
                end(lease, why);
            }
            return true;
        });
    }

    // ---- in requests: the lock is held ----

    /** Joins a line; no effect if this place has joined before. */
    void join(Lease lease, MemoryPlace place, Line line, Claim claim, byte[] payload) {
        if (place.contender != null) {
            return;
        }
        long number = next();
        Peer peer = new Peer(line, lease.id() + "-" + number, number, claim);
        MemoryEntry joining = new MemoryEntry(new Entry(peer, number, payload, lease.id()), lease, place);
        place.contender = joining;
        lines.add(joining);
    }

    void leave(MemoryPlace place) {
        if (place.contender != null) {
            lines.remove(List.of(place.contender));
        }
    }

    void downgrade(MemoryPlace place) {
        MemoryEntry contender = place.contender;
        if (contender != null && lines.find(contender.peer()) == contender) {
            lines.downgrade(contender);
        }
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
        var changes = values.apply(ops);
        leases.forEach(lease -> lease.observations.forEach(observation -> observation.changed(changes)));
        return true;
    }

    // ---- controls ----

    List<String> alive() {
        return locked(() -> leases.stream().filter(Lease::alive).map(Lease::id).toList());
    }

    List<Peer> peers(String line) {
        return locked(() -> lines.peers(line));
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
            leases.stream().filter(Lease::alive).filter(which).toList().forEach(this::expire);
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
            var why = new LockLostException("the entry " + peer.name() + " in " + peer.line() + " was removed");
            contender.lease().deliver("gone", () -> contender.place().lost(why));
        }
        lines.remove(leaving);
    }

    private void lineChanged(String path) {
        leases.forEach(lease -> lease.lines.forEach(observer -> observer.changed(path)));
    }

    private Lease.Contact contact(String client) {
        return new Lease.Contact() {
            @Override
            public boolean breaks(Outage.When when, String what) {
                outages.removeIf(Outage::isDone);
                return outages.stream()
                        .filter(outage -> outage.triggers(client, when, what))
                        .findFirst()
                        .isPresent();
            }

            @Override
            public void reconnect(Lease lease) {
                locked(() -> {
                    if (lease.isCut() && !shouldBeCut(lease)) {
                        restore(lease);
                        sweep();
                    }
                    return true;
                });
            }
        };
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
        return allCutOff || cutOff.contains(lease.spec().client());
    }

    private boolean followContact() {
        for (Lease lease : List.copyOf(leases)) {
            boolean cut = shouldBeCut(lease);
            if (cut && !lease.isCut()) {
                lease.cut();
            } else if (!cut && lease.isCut()) {
                restore(lease);
            }
        }
        sweep();
        return true;
    }

    private void restore(Lease lease) {
        reap(lease.nanoTime());
        if (lease.isAbandoned() && lease.alive()) {
            end(lease, new SessionLostException("session " + lease.id() + " was closed"));
        }
        lease.connect();
    }

    /** Ends leases not renewed in time, by any client's clock, so that the entries of a frozen client go. */
    private void reap(long nowNanos) {
        leases.stream()
                .filter(lease -> lease.alive() && nowNanos - lease.endsNanos() >= 0)
                .toList()
                .forEach(this::expire);
    }

    private void expire(Lease lease) {
        end(
                lease,
                new SessionLostException(
                        "session " + lease.id() + " of '" + lease.spec().client() + "' has expired at the store"));
    }

    private void end(Lease lease, CoordinationException why) {
        if (lease.alive()) {
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
