package io.baton.chaos.election;

import io.baton.testkit.etcd.Etcdctl;
import io.baton.testkit.etcd.LocalEtcd;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One etcd server, in a process of its own; nothing is forced to disk. It looks for leases that are over every 500 ms:
 * {@code lessor.runLoop} in its sources.
 */
public final class EtcdSite implements Site {

    private static final String ROOT = "chaos";
    private static final String SIGNS_OF_LIFE = "Lease/LeaseKeepAlive";

    private final LocalEtcd server =
            LocalEtcd.builder().flag("--unsafe-no-fsync").start();

    /** What this object has asked. */
    private long reads;

    private long deletions;

    /** Starts it. */
    public EtcdSite() {}

    @Override
    public String what() {
        return "etcd " + server.version() + ", one server";
    }

    @Override
    public Duration granularity() {
        return Duration.ofMillis(500);
    }

    @Override
    public List<InetSocketAddress> addresses() {
        return List.of(server.address());
    }

    @Override
    public String uri(List<InetSocketAddress> addresses) {
        return "etcd://127.0.0.1:" + addresses.get(0).getPort() + "/" + ROOT;
    }

    /** Without renewals of leases; the reads that go with them are there. */
    @Override
    public Map<String, Long> requests() {
        Map<String, Long> asked = new TreeMap<>(server.requests());
        asked.remove(SIGNS_OF_LIFE);
        asked.merge("KV/Range", -reads, Long::sum);
        asked.merge("KV/DeleteRange", -deletions, Long::sum);
        return asked;
    }

    @Override
    public int standing(String election) {
        reads++;
        return server.keys(line(election)).size();
    }

    @Override
    public void removeFirst(String election) {
        reads++;
        deletions++;
        String first = ctl().run(
                        "get",
                        "--prefix",
                        "--keys-only",
                        "--sort-by=CREATE",
                        "--order=ASCEND",
                        "--limit=1",
                        line(election))
                .trim();
        ctl().delete(first);
    }

    /** Its own client, for those who stand by it. */
    public Etcdctl ctl() {
        return server.ctl();
    }

    @Override
    public void close() {
        server.close();
    }

    private static String line(String election) {
        return "/" + ROOT + "/elections/" + election + "/";
    }
}
