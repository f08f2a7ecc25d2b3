package io.baton.chaos.election;

import io.baton.chaos.servers.ServerCluster;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A cluster of three servers, whose leader can be killed. */
public final class ClusterSite implements Site {

    private final ServerCluster servers;
    private final Duration granularity;
    private int killed;

    /**
     * These, which end with it.
     *
     * @param granularity by how much later than a session's timeout they may end it
     */
    public ClusterSite(ServerCluster servers, Duration granularity) {
        this.servers = servers;
        this.granularity = granularity;
    }

    @Override
    public String what() {
        return servers.what();
    }

    @Override
    public Duration granularity() {
        return granularity;
    }

    @Override
    public List<InetSocketAddress> addresses() {
        return servers.members().stream().map(servers::address).toList();
    }

    @Override
    public String uri(List<InetSocketAddress> addresses) {
        return servers.uri(addresses);
    }

    @Override
    public Map<String, Long> requests() {
        return Map.of();
    }

    @Override
    public int standing(String election) {
        throw new UnsupportedOperationException("they are counted where there is one server");
    }

    @Override
    public void removeFirst(String election) {
        throw new UnsupportedOperationException("entries are removed where there is one server");
    }

    /** Who leads among the servers. */
    public int leader() throws InterruptedException {
        return servers.leader();
    }

    /** Kills it ({@code SIGKILL}). */
    public void kill(int leader) throws InterruptedException {
        killed = leader;
        servers.kill(leader);
    }

    /** Starts who was killed, and waits until all serve. */
    public void restore() throws InterruptedException {
        servers.restart(killed);
        servers.heal();
    }

    @Override
    public void close() {
        servers.close();
    }
}
