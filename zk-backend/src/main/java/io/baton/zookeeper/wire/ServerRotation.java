package io.baton.zookeeper.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.zookeeper.client.HostProvider;
import org.jspecify.annotations.Nullable;

/**
 * Gives a handle one server after the other to connect to. The library's own provider logs the stack of an exception
 * whenever a name is not known, and its handle does so whenever a connection is refused, each second of an outage. So
 * this one gives no name that is not known, and no address that does not accept connections.
 *
 * <p>After a contact each server is tried once without that look, so that a client which moves to another server
 * connects once, as ever. Waits, in the handle's own thread, until a server can be tried or the handle is closed; after a
 * contact for no longer than the library lets a session live without one, as it looks at that with each server that it
 * is given.
 */
final class ServerRotation implements HostProvider {

    private static final int NONE = -1;

    private final List<ServerAddress> servers;
    private final LongSupplier nanoTime;
    private final long patience;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean abandoned;
    private int turn = NONE;
    private int last = NONE;
    private int unseen;
    private @Nullable InetSocketAddress given;
    private @Nullable InetSocketAddress contact;

    /**
     * Nothing has been given yet.
     *
     * @param timeout of the session
     */
    ServerRotation(String hosts, Duration timeout, LongSupplier nanoTime) {
        this.servers = new ArrayList<>(ServerAddress.of(hosts));
        this.nanoTime = nanoTime;
        this.patience = timeout.toNanos() * 4 / 3;
        Collections.shuffle(servers);
    }

    @Override
    public int size() {
        return servers.size();
    }

    /** The next server; after a pause if it is the one that was connected last, or the first of another round. */
    @Override
    public InetSocketAddress next(long pauseMillis) {
        long begin = nanoTime.getAsLong();
        while (true) {
            boolean look = advance();
            if (cameRound()) {
                pause(pauseMillis);
            }
            if (closed.getCount() == 0) {
                restIfAbandoned();
                throw new IllegalStateException("the handle has been closed");
            }
            Optional<InetSocketAddress> found =
                    address(servers.get(turn()), look).or(() -> overdue(begin));
            if (found.isPresent()) {
                return give(found.get());
            }
        }
    }

    @Override
    public synchronized void onConnected() {
        if (abandoned) {
            throw new IllegalStateException("nobody has this handle");
        }
        last = turn;
        unseen = servers.size();
        contact = given;
    }

    /** The servers are those that the store's address names. */
    @Override
    public boolean updateServerList(Collection<InetSocketAddress> other, InetSocketAddress current) {
        throw new UnsupportedOperationException("the servers of a store do not change");
    }

    /** Ends the waiting. */
    void close() {
        closed.countDown();
    }

    /** Nobody has the handle, which was never made whole: its thread, which asks here and cannot be ended, is to do nothing. */
    void abandon() {
        abandoned = true;
        close();
    }

    private void restIfAbandoned() {
        while (abandoned) {
            LockSupport.park(this);
        }
    }

    private synchronized InetSocketAddress give(InetSocketAddress address) {
        given = address;
        return address;
    }

    /** The session is over by the library's account: where it was in contact last, for want of anything better. */
    private synchronized Optional<InetSocketAddress> overdue(long begin) {
        return nanoTime.getAsLong() - begin < patience ? Optional.empty() : Optional.ofNullable(contact);
    }

    /** Goes on to the next server; whether to look at it first. */
    private synchronized boolean advance() {
        turn = (turn + 1) % servers.size();
        if (unseen == 0) {
            return true;
        }
        unseen--;
        return false;
    }

    private synchronized boolean cameRound() {
        boolean round = turn == last;
        if (last == NONE) {
            last = turn;
        }
        return round;
    }

    private synchronized int turn() {
        return turn;
    }

    private void pause(long millis) {
        try {
            boolean ignored = closed.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a server", nobodyDoesThat);
        }
    }

    private static Optional<InetSocketAddress> address(ServerAddress server, boolean look) {
        try {
            if (!look) {
                return Optional.of(server.addresses().get(0));
            }
            try (Socket accepted = server.connect()) {
                return Optional.of((InetSocketAddress) accepted.getRemoteSocketAddress());
            }
        } catch (IOException unknownOrAway) {
            return Optional.empty();
        }
    }
}
