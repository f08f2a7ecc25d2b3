package io.baton.zookeeper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.client.HostProvider;

/**
 * Gives a handle one server after the other to connect to. The library's own provider logs the stack of an exception
 * whenever a name is not known, and its handle does so whenever a connection is refused, each second of an outage. So
 * this one gives no name that is not known, and no address that does not accept connections.
 *
 * <p>After a contact each server is tried once without that look, so that a client which moves to another server
 * connects once, as ever. Waits, in the handle's own thread, until a server can be tried or the handle is closed.
 */
final class ServerRotation implements HostProvider {

    private static final int NONE = -1;

    private final List<ServerAddress> servers;
    private final CountDownLatch closed = new CountDownLatch(1);
    private int turn = NONE;
    private int last = NONE;
    private int unseen;

    ServerRotation(String hosts) {
        servers = new ArrayList<>(ServerAddress.of(hosts));
        Collections.shuffle(servers);
    }

    @Override
    public int size() {
        return servers.size();
    }

    /** The next server; after a pause if it is the one that was connected last, or the first of another round. */
    @Override
    public InetSocketAddress next(long pauseMillis) {
        while (true) {
            boolean look = advance();
            if (cameRound()) {
                pause(pauseMillis);
            }
            if (closed.getCount() == 0) {
                throw new IllegalStateException("the handle has been closed");
            }
            Optional<InetSocketAddress> found = address(servers.get(turn()), look);
            if (found.isPresent()) {
                return found.get();
            }
        }
    }

    @Override
    public synchronized void onConnected() {
        last = turn;
        unseen = servers.size();
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
