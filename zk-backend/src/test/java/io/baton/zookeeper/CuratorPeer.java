package io.baton.zookeeper;

import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.Revoker;
import org.apache.curator.retry.RetryOneTime;

/** Apache Curator's {@code InterProcessMutex}, with a client of its own, and a thread, as the mutex belongs to a thread. */
final class CuratorPeer implements ForeignPeer {

    private final LocalZooKeeper server;
    private final CuratorFramework client;
    private final InterProcessMutex mutex;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    CuratorPeer(LocalZooKeeper server, String path, Duration timeout) throws InterruptedException {
        this.server = server;
        client = CuratorFrameworkFactory.newClient(
                server.connectString(), (int) timeout.toMillis(), 10_000, new RetryOneTime(100));
        client.start();
        client.blockUntilConnected();
        mutex = new InterProcessMutex(client, path);
    }

    @Override
    public void acquire() throws Exception {
        onItsThread(mutex::acquire);
    }

    @Override
    public void release() throws Exception {
        onItsThread(mutex::release);
    }

    @Override
    public long session() throws Exception {
        return client.getZookeeperClient().getZooKeeper().getSessionId();
    }

    @Override
    public void kill() throws Exception {
        server.expire(session());
    }

    /** From the next acquisition on, it releases when it is asked to. */
    void releaseWhenAsked() {
        mutex.makeRevocable(lock -> thread.execute(() -> {
            try {
                mutex.release();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }));
    }

    /** Asks whoever has this entry to give way, as Curator's contenders do of each other. */
    void askToRevoke(String entry) throws Exception {
        Revoker.attemptRevoke(client, entry);
    }

    @Override
    public void close() {
        thread.shutdownNow();
        client.close();
    }

    private interface Task {
        void run() throws Exception;
    }

    private void onItsThread(Task task) throws Exception {
        thread.submit(() -> {
                    task.run();
                    return null;
                })
                .get();
    }
}
