package io.baton.zookeeper;

import static org.awaitility.Awaitility.await;

import io.baton.testkit.zookeeper.ZooKeeperEnsemble;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * What not to do: an ephemeral entry whose owner believes to be alive for a session timeout from the send of its last
 * answered read. It reads all the time by way of one server, and is told by another when its entry has gone.
 */
final class ReadFedSession implements AutoCloseable {

    private final ZooKeeper owner;
    private final ZooKeeper witness;
    private final Thread reader;
    private final long timeoutNanos;
    private final CountDownLatch gone = new CountDownLatch(1);
    private volatile long lastAnsweredReadSent;
    private volatile long goneAt;
    private volatile long deadlineWhenGone;

    ReadFedSession(ZooKeeperEnsemble ensemble, int ownersServer, int witnessesServer, Duration timeout)
            throws Exception {
        timeoutNanos = timeout.toNanos();
        owner = connect(ensemble, ownersServer, timeout);
        witness = connect(ensemble, witnessesServer, Duration.ofSeconds(30));
        String entry = owner.create("/naive-", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
        await().until(() -> witness.exists(entry, event -> {
                    if (event.getType() == EventType.NodeDeleted) {
                        goneAt = System.nanoTime();
                        deadlineWhenGone = lastAnsweredReadSent + timeoutNanos;
                        gone.countDown();
                    }
                })
                != null);
        lastAnsweredReadSent = System.nanoTime();
        reader = new Thread(() -> readOn(entry), "read-fed-session");
        reader.setDaemon(true);
        reader.start();
    }

    /** Waits until the entry has gone; true if the owner's deadline lay in the future at that moment. */
    boolean outlivedItsEntry() throws InterruptedException {
        if (!gone.await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("the entry of the session that only reads is still there");
        }
        return deadlineWhenGone - goneAt > 0;
    }

    private void readOn(String entry) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                long sent = System.nanoTime();
                owner.getData(entry, false, null);
                lastAnsweredReadSent = sent;
                TimeUnit.MILLISECONDS.sleep(20);
            }
        } catch (KeeperException | InterruptedException over) {
            // Disconnected or closed: there is nothing more to be believed.
        }
    }

    private static ZooKeeper connect(ZooKeeperEnsemble ensemble, int server, Duration timeout) throws Exception {
        var connected = new CountDownLatch(1);
        ZooKeeper client =
                new ZooKeeper("127.0.0.1:" + ensemble.clientPort(server), (int) timeout.toMillis(), event -> {
                    if (event.getState() == KeeperState.SyncConnected) {
                        connected.countDown();
                    }
                });
        connected.await();
        return client;
    }

    @Override
    public void close() throws Exception {
        reader.interrupt();
        owner.close((int) TimeUnit.SECONDS.toMillis(1));
        witness.close();
    }
}
