package io.baton.chaos.election;

import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/**
 * One ZooKeeper server, in this JVM. A session's end is rounded up to the next tick: {@code ExpiryQueue.roundToNextInterval}
 * in its sources.
 */
public final class ZooKeeperSite implements Site {

    private static final String ROOT = "chaos";
    private static final int NUMBER_LENGTH = 10;
    private static final int PATIENCE_MILLIS = 10_000;

    private final LocalZooKeeper server = LocalZooKeeper.start();

    private final ZooKeeper client;

    /** What this object has asked. */
    private long listings;

    private long deletions;

    /** Starts it. */
    public ZooKeeperSite() {
        try {
            client = new ZooKeeper(server.connectString(), PATIENCE_MILLIS, event -> {});
        } catch (IOException broken) {
            server.close();
            throw new UncheckedIOException("cannot reach our own server", broken);
        }
    }

    @Override
    public String what() {
        return "ZooKeeper, one server, tickTime " + granularity().toMillis() + " ms";
    }

    @Override
    public Duration granularity() {
        return server.tickTime();
    }

    @Override
    public List<InetSocketAddress> addresses() {
        return List.of(server.address());
    }

    @Override
    public String uri(List<InetSocketAddress> addresses) {
        return "zk://127.0.0.1:" + addresses.get(0).getPort() + "/" + ROOT + "?tick="
                + granularity().toMillis() + "ms";
    }

    /** Without pings and the transactions that prove a session alive. */
    @Override
    public Map<String, Long> requests() {
        Map<String, Long> asked = new TreeMap<>(server.requests());
        asked.remove("ping");
        asked.remove("multi");
        asked.merge("getChildren", -listings, Long::sum);
        asked.merge("delete", -deletions, Long::sum);
        return asked;
    }

    @Override
    public int standing(String election) throws KeeperException, InterruptedException {
        return entries(election).size();
    }

    @Override
    public void removeFirst(String election) throws KeeperException, InterruptedException {
        String first = entries(election).stream()
                .min(Comparator.comparing(ZooKeeperSite::number))
                .orElseThrow();
        deletions++;
        client.delete(line(election) + "/" + first, -1);
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        server.close();
    }

    private List<String> entries(String election) throws KeeperException, InterruptedException {
        listings++;
        try {
            return client.getChildren(line(election), false);
        } catch (KeeperException.NoNodeException nobodyYet) {
            return List.of();
        }
    }

    private static String line(String election) {
        return "/" + ROOT + "/elections/" + election;
    }

    private static String number(String name) {
        return name.substring(name.length() - NUMBER_LENGTH);
    }
}
