package io.baton.chaos.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Quotas;
import org.apache.zookeeper.StatsTrack;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/** Who runs ZooKeeper's servers: sets the ACL of lines, and quotas, and writes the clients' settings. */
final class ZooKeeperOperator {

    /** Where the clients' tree is. */
    static final String ROOT = "/chaos";

    private static final byte[] NOTHING_YET = new StatsTrack().getStatsBytes();
    private static final String CREDENTIALS = "operator:the-operator's-secret";
    private static final int PATIENCE_MILLIS = 3_000;
    private static final int SESSION_MILLIS = 10_000;

    private interface Work {
        void with(ZooKeeper client) throws KeeperException, InterruptedException;
    }

    private final String servers;
    private final CertificateFiles certificates;
    private final Path settings;

    ZooKeeperOperator(String servers, CertificateFiles certificates, Path folder) {
        this.servers = servers;
        this.certificates = certificates;
        this.settings = folder.toAbsolutePath().resolve("secure.properties");
        try {
            Files.write(settings, certificates.settings());
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot write " + settings, broken);
        }
    }

    /** The file with the settings of clients that speak TLS. */
    Path settings() {
        return settings;
    }

    CertificateFiles certificates() {
        return certificates;
    }

    /** Of the line's node; entries have an ACL of their own, which is not changed. A line that is missing has no ACL. */
    void permit(String lock, Permission permission) {
        work(client -> {
            try {
                client.setACL(ROOT + "/locks/" + lock, acl(permission), -1);
            } catch (KeeperException.NoNodeException removedWhileEmpty) {
                // Whoever makes it anew lets everybody in.
                return;
            }
        });
    }

    /** By a quota of one node and one byte for all that is the clients'. What there is more of already may stay. */
    void useUpSpace(boolean up) {
        List<String> nodes = List.of(Quotas.quotaPath(ROOT), Quotas.statPath(ROOT), Quotas.limitPath(ROOT));
        if (up) {
            StatsTrack quota = new StatsTrack();
            quota.setCountHardLimit(1);
            quota.setByteHardLimit(1);
            work(client -> {
                for (String node : nodes) {
                    byte[] data = node.equals(Quotas.limitPath(ROOT)) ? quota.getStatsBytes() : NOTHING_YET;
                    make(client, node, data);
                }
            });
        } else {
            work(client -> {
                remove(client, nodes.get(2));
                remove(client, nodes.get(1));
                remove(client, nodes.get(0));
            });
        }
    }

    private static void make(ZooKeeper client, String node, byte[] data) throws KeeperException, InterruptedException {
        try {
            client.create(node, data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } catch (KeeperException.NodeExistsException madeBefore) {
            // At an attempt of which nobody told.
            return;
        }
    }

    private static void remove(ZooKeeper client, String node) throws KeeperException, InterruptedException {
        try {
            client.delete(node, -1);
        } catch (KeeperException.NoNodeException removedBefore) {
            // At an attempt of which nobody told.
            return;
        }
    }

    private static List<ACL> acl(Permission permission) {
        if (permission == Permission.ALL) {
            return Ids.OPEN_ACL_UNSAFE;
        }
        List<ACL> acl = new ArrayList<>();
        try {
            Id operator = new Id("digest", DigestAuthenticationProvider.generateDigest(CREDENTIALS));
            acl.add(new ACL(Perms.ALL, operator));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
        if (permission == Permission.READ) {
            acl.addAll(Ids.READ_ACL_UNSAFE);
        }
        return acl;
    }

    private void work(Work work) {
        try {
            inASession(work);
        } catch (IOException | KeeperException broken) {
            throw new IllegalStateException("cannot do the operator's work", broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    /** One of its own: one that is kept may end with the servers. */
    private void inASession(Work work) throws IOException, KeeperException, InterruptedException {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(servers, SESSION_MILLIS, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        try {
            if (!connected.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("no contact with " + servers);
            }
            client.addAuthInfo("digest", CREDENTIALS.getBytes(StandardCharsets.UTF_8));
            work.with(client);
        } finally {
            client.close();
        }
    }
}
