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
 * Gives a handle one server after the other to connect to. The library's own provider logs a stack trace for each
 * unknown name. Its handle does so for each refused connection, every second of an outage. So this provider returns no
 * unknown name and no address that refuses connections.
 *
 * <p>After a contact, each server is tried once without that check, so that a client that changes servers connects only
 * once. It blocks the handle's own thread until a server can be tried or the handle is closed. After a contact, it
 * blocks no longer than the library keeps a session without contact. The library checks that time only when it gets a
 * server.
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
     * A provider that has returned no server yet.
     *
     * @param timeout the session timeout
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

    /** Returns the next server, after a pause if it is the last connected one, or the first of another round. */
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

    /** Not supported: the store's address fixes the servers. */
    @Override
    public boolean updateServerList(Collection<InetSocketAddress> other, InetSocketAddress current) {
        throw new UnsupportedOperationException("the servers of a store do not change");
    }

    /** Ends the waiting. */
    void close() {
        closed.countDown();
    }

    /**
     * Stops the thread of a handle whose construction failed. That thread calls {@link #next} and cannot be ended, so
     * it parks.
     */
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

    /** The library considers the session expired: returns the last connected address, as none is better. */
    private synchronized Optional<InetSocketAddress> overdue(long begin) {
        return nanoTime.getAsLong() - begin < patience ? Optional.empty() : Optional.ofNullable(contact);
    }

    /** Advances to the next server. Returns whether to check it first. */
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
