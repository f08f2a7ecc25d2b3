package io.baton.benchmarks.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.benchmarks.ZooKeeperHandle;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** ZooKeeper's own client. Only for keys that nobody else makes. */
final class ZooKeeperWriter implements Writer {

    private static final int TIMEOUT_MILLIS = 10_000;

    private final ZooKeeper client;
    private final Set<String> made = ConcurrentHashMap.newKeySet();

    ZooKeeperWriter(String servers) throws Exception {
        client = ZooKeeperHandle.connect(servers, TIMEOUT_MILLIS);
    }

    /** Makes the nodes above the keys. */
    void prepare(String space) throws KeeperException, InterruptedException {
        for (int slash = space.indexOf('/', 1); slash > 0; slash = space.indexOf('/', slash + 1)) {
            make(space.substring(0, slash));
        }
        make(space);
    }

    @Override
    public CompletableFuture<?> put(String space, String key, String text) {
        String path = space + "/" + key;
        byte[] value = text.getBytes(UTF_8);
        var done = new CompletableFuture<Void>();
        if (made.add(path)) {
            client.create(
                    path,
                    value,
                    Ids.OPEN_ACL_UNSAFE,
                    CreateMode.PERSISTENT,
                    (code, its, context, name) -> end(done, code, its),
                    null);
        } else {
            client.setData(path, value, -1, (code, its, context, stat) -> end(done, code, its), null);
        }
        return done;
    }

    private void make(String path) throws KeeperException, InterruptedException {
        try {
            client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } catch (NodeExistsException already) {
            // As it should be.
        }
    }

    private static void end(CompletableFuture<Void> done, int code, String path) {
        if (code == Code.OK.intValue()) {
            done.complete(null);
        } else {
            done.completeExceptionally(KeeperException.create(Code.get(code), path));
        }
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
