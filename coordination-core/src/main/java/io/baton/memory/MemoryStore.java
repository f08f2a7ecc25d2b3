package io.baton.memory;

import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Names;
import io.baton.spi.Peer;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A store in this process's memory, with controls for tests.
 *
 * <pre>{@code
 * try (Coordinator baton = Coordinator.connect("mem:test");
 *         Hold hold = baton.lock("orders").acquire()) {
 *     MemoryStore.named("test").expireSessions();
 *     // hold.state() becomes LOST
 * }
 * }</pre>
 *
 * <p><b>Guarantees.</b> Those of {@link Session}, in full. When a client closes its session, or its lease runs out, its
 * entries go; records stay until {@link #drop}. Nothing outlives the process.
 *
 * <p><b>Time</b> comes from the clients' loops only. Leases that ran out are noticed when any client of this store
 * renews its own or asks for something; all clients of one store need the same clock.
 *
 * <p><b>Threads.</b> Any; no control waits for the clients it concerns. They find out on their own threads.
 */
public final class MemoryStore implements Store {

    /** Whoever renews a lease has the others' looked at, which is every quarter of a ttl; of the default one here. */
    private static final Duration EXPIRY_LAG = Duration.ofMillis(2500);

    private static final Guarantees GUARANTEES = Guarantees.ofQuorum(1000, 1 << 20, EXPIRY_LAG);
    private static final Map<String, MemoryStore> NAMED = new ConcurrentHashMap<>();

    private final String name;
    private final MemoryServer server = new MemoryServer();

    private MemoryStore(String name) {
        this.name = name;
    }

    /** The store of this name, the same in the whole process; {@code mem:name} is its URI. */
    public static MemoryStore named(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a store in memory needs a name, as mem:test");
        }
        return NAMED.computeIfAbsent(name, MemoryStore::new);
    }

    /**
     * Ends all sessions of the store of this name and forgets its records; the name then stands for a new, empty store.
     * Clients that are still open stay with the old one.
     */
    public static void drop(String name) {
        MemoryStore dropped = NAMED.remove(name);
        if (dropped != null) {
            dropped.expireSessions();
        }
    }

    @Override
    public Guarantees guarantees() {
        return GUARANTEES;
    }

    /** Takes every line: in memory there are no other programs whose names would matter. */
    @Override
    public void check(Line line) {
        Names.checkPath(line.path());
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the ttl is under 250 ms and strict: too little would be left of it between two
     *     renewals
     */
    @Override
    public Session open(SessionSpec spec, Loop loop, SessionListener to) {
        Duration ttl = spec.ttlRaisedTo(MemorySession.SHORTEST);
        if (ttl.compareTo(MemorySession.SHORTEST) < 0) {
            throw new IllegalArgumentException("a ttl of " + ttl.toMillis()
                    + " ms is too short: renewed every quarter of it, less than half would be left at times; ask for "
                    + MemorySession.SHORTEST.toMillis() + " ms or more");
        }
        return MemorySession.open(server, spec, ttl, loop, to);
    }

    /** The ids of the sessions that live now, oldest first. */
    public List<String> sessions() {
        return server.alive();
    }

    /** Ends every session, as if its lease had run out. Those out of contact learn of it on {@link #resume()}. */
    public void expireSessions() {
        server.expire(lease -> true);
    }

    /** Ends every session of the clients that call themselves this. */
    public void expireSessions(String client) {
        server.expire(lease -> lease.spec().client().equals(client));
    }

    /** Ends the session of this id; without effect if it has ended. */
    public void expireSession(String id) {
        server.expire(lease -> lease.id().equals(id));
    }

    /**
     * Cuts the contact with every client, present and future, until {@link #resume()}: sessions become SUSPENDED and
     * requests wait for an answer. Leases that are not renewed in time run out.
     */
    public void suspend() {
        server.suspend();
    }

    /** Cuts the contact with the clients that call themselves this, until {@link #resume()}. */
    public void suspend(String client) {
        server.suspend(client);
    }

    /** Ends every suspension. */
    public void resume() {
        server.resume();
    }

    /**
     * Arms a short loss of contact that hits a client at its n-th request, or at the n-th thing that the store has to
     * tell it, counted from now: {@code outage("racer", AFTER_REQUEST, 1)} lets the next request of the client that calls
     * itself {@code racer} take effect, and loses the answer.
     */
    public Outage outage(String client, Outage.When when, int n) {
        return server.arm(new Outage(server, null, client, when, n));
    }

    /** Who stands in a line, first first; the line of lock {@code orders} is {@code locks/orders}. */
    public List<Peer> peers(String line) {
        return server.peers(line);
    }

    /** Removes somebody's entry from its line, as an operator might; false if it had gone before. */
    public boolean removeEntry(Peer peer) {
        return server.removeEntry(peer);
    }

    @Override
    public String toString() {
        return "mem:" + name;
    }
}
