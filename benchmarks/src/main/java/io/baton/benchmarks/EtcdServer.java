package io.baton.benchmarks;

import io.baton.testkit.etcd.LocalEtcd;
import java.net.InetSocketAddress;
import java.util.Map;

/** A real etcd. */
public final class EtcdServer implements Server {

    private static final String HEARTBEATS = "Lease/LeaseKeepAlive";

    private final LocalEtcd etcd;

    private EtcdServer(LocalEtcd etcd) {
        this.etcd = etcd;
    }

    /** Starts one that forces nothing to disk: what is compared are the clients, and what they ask for. */
    public static EtcdServer start() {
        return start(false);
    }

    /** Starts one that forces its log to disk, or does not. */
    static EtcdServer start(boolean forced) {
        LocalEtcd.Builder etcd = LocalEtcd.builder();
        if (!forced) {
            // The newest version takes this flag; an old one that does not must not pass for one without fsync.
            etcd.flag("--unsafe-no-fsync");
        }
        return new EtcdServer(etcd.start());
    }

    @Override
    public InetSocketAddress address() {
        return etcd.address();
    }

    @Override
    public String what() {
        return "etcd " + etcd.version();
    }

    @Override
    public long requests() {
        return etcd.requests().entrySet().stream()
                .filter(kind -> !kind.getKey().equals(HEARTBEATS))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    @Override
    public long pid() {
        return etcd.pid();
    }

    @Override
    public void close() {
        etcd.close();
    }
}
