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
import io.baton.spi.kernel.KernelSession;
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
 * <p><b>Guarantees.</b> Those of {@link Session}, in full. A client's entries are removed when it closes its session or
 * its lease runs out. Records stay until {@link #drop}. Nothing outlives the process.
 *
 * <p><b>Time</b> comes from the clients' loops only. A lease that has run out ends when any client of this store renews
 * its own lease or sends a request. All clients of one store need the same clock.
 *
 * <p><b>Threads.</b> Any. No control waits for the clients that it concerns; these are notified on their own loops.
 */
public final class MemoryStore implements Store {

    /** Any renewal, every quarter of a ttl, finds expired leases; this is a quarter of the default ttl. */
    private static final Duration EXPIRY_LAG = Duration.ofMillis(2500);

    /** Below this, a quarter of the ttl and the margin would together be more than half of the ttl. */
    private static final Duration SHORTEST = Duration.ofMillis(250);

    private static final Guarantees GUARANTEES = Guarantees.ofQuorum(1000, 1 << 20, EXPIRY_LAG);
    private static final Map<String, MemoryStore> NAMED = new ConcurrentHashMap<>();

    private final String name;
    private final MemoryServer server = new MemoryServer();

    private MemoryStore(String name) {
        this.name = name;
    }

    /**
     * Returns the store of this name, the same in the whole process; {@code mem:name} is its URI.
     *
     * @throws IllegalArgumentException if the name is empty
     */
    public static MemoryStore named(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a store in memory needs a name, as mem:test");
        }
        return NAMED.computeIfAbsent(name, MemoryStore::new);
    }

    /**
     * Ends all sessions of the store of this name and forgets its records. The name then refers to a new, empty store.
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

    /**
     * Accepts every dialect: no other program shares this store.
     *
     * @throws IllegalArgumentException if the path is malformed
     */
    @Override
    public void check(Line line) {
        Names.checkPath(line.path());
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the ttl is strict and under 250 ms: too little would be left of it between
     *     two renewals
     */
    @Override
    public Session open(SessionSpec spec, Loop loop, SessionListener to) {
        return KernelSession.open(server::open, server.nextId(), spec, SHORTEST, loop, to);
    }

    /** Returns the ids of the sessions that are alive now, oldest first. */
    public List<String> sessions() {
        return server.alive();
    }

    /** Ends every session, as if its lease had run out. Those out of contact are notified on {@link #resume()}. */
    public void expireSessions() {
        server.expire(lease -> true);
    }

    /** Ends every session of the clients of this name. */
    public void expireSessions(String client) {
        server.expire(lease -> lease.client().equals(client));
    }

    /** Ends the session of this id; no effect if it has ended. */
    public void expireSession(String id) {
        server.expire(lease -> lease.id().equals(id));
    }

    /**
     * Cuts the contact with every client, present and future, until {@link #resume()}. Sessions become SUSPENDED and
     * requests wait for an answer. Leases that are not renewed in time run out.
     */
    public void suspend() {
        server.suspend();
    }

    /** Cuts the contact with the clients of this name, until {@link #resume()}. */
    public void suspend(String client) {
        server.suspend(client);
    }

    /** Ends every suspension. */
    public void resume() {
        server.resume();
    }

    /**
     * Arms a short loss of contact, which hits a client at its n-th request, or at its n-th answer or notification,
     * from now on. With {@code outage("racer", AFTER_REQUEST, 1)} the next request of the client {@code racer} takes
     * effect, and its answer is lost.
     *
     * @throws IllegalArgumentException if {@code n} is less than 1
     */
    public Outage outage(String client, Outage.When when, int n) {
        return server.arm(new Outage(server, null, client, when, n));
    }

    /** Returns the contenders in a line, in order; the line of lock {@code orders} is {@code locks/orders}. */
    public List<Peer> peers(String line) {
        return server.peers(line);
    }

    /** Removes an entry from its line, as an operator might. Returns false if it was gone before. */
    public boolean removeEntry(Peer peer) {
        return server.removeEntry(peer);
    }

    @Override
    public String toString() {
        return "mem:" + name;
    }
}
