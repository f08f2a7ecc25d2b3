package io.baton.zookeeper.inspect;

import io.baton.CoordinationException;
import io.baton.StoreUnavailableException;
import io.baton.spi.support.DurationText;
import io.baton.zookeeper.wire.Acl;
import io.baton.zookeeper.wire.OwnHandle;
import io.baton.zookeeper.wire.Settings;
import io.baton.zookeeper.wire.ZkAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** An inspector's own session, which sends many requests before it waits for their answers. */
public final class InspectorHandle implements AutoCloseable {

    /** Long enough for a tree or a line with a million entries. */
    private static final int LONGEST_ANSWER = 1 << 26;

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration END = Duration.ofSeconds(2);

    /** An answer. The value is non-null if and only if the code is {@code OK} and the request has one. */
    public record Answer<T>(Code code, @Nullable T value) {}

    /** A node as read. */
    public record Content(byte[] data, Stat stat) {}

    private final CompletableFuture<Void> contact = new CompletableFuture<>();
    private final ZkAddress address;
    private final Duration patience;
    private final OwnHandle zk;

    private InspectorHandle(ZkAddress address, Settings settings, Duration patience) throws IOException {
        this.address = address;
        this.patience = patience;
        ZKClientConfig config = settings.client();
        config.setProperty(ZKConfig.JUTE_MAXBUFFER, Integer.toString(LONGEST_ANSWER));
        zk = OwnHandle.open(address.hosts(), TIMEOUT, System::nanoTime, this::event, config);
        settings.digest().map(Acl.Digest::bytes).ifPresent(digest -> zk.addAuthInfo("digest", digest));
    }

    /**
     * Opens a session. Blocks until the first contact.
     *
     * @param patience how long the first contact, and then each answer, may take
     * @throws StoreUnavailableException if there is no contact in time
     * @throws CoordinationException if the servers refuse this client
     */
    public static InspectorHandle open(ZkAddress address, Settings settings, Duration patience)
            throws InterruptedException {
        InspectorHandle handle;
        try {
            handle = new InspectorHandle(address, settings, patience);
        } catch (IOException failed) {
            throw new StoreUnavailableException("cannot start a ZooKeeper client for " + address, failed);
        }
        try {
            handle.await(handle.contact);
            return handle;
        } catch (Throwable failed) {
            handle.close();
            throw failed;
        }
    }

    /** Whether the session may still be alive, even without contact. */
    public boolean isAlive() {
        return zk.getState().isAlive();
    }

    /** Lists the names of the children. */
    public CompletableFuture<Answer<List<String>>> children(String path) {
        var answer = new CompletableFuture<Answer<List<String>>>();
        AsyncCallback.ChildrenCallback done = (rc, asked, context, names) -> answer.complete(answer(rc, names));
        zk.getChildren(path, false, done, null);
        return answer;
    }

    /** Reads a node. */
    public CompletableFuture<Answer<Content>> read(String path) {
        var answer = new CompletableFuture<Answer<Content>>();
        AsyncCallback.DataCallback done = (rc, asked, context, data, stat) ->
                answer.complete(answer(rc, stat == null ? null : new Content(data == null ? new byte[0] : data, stat)));
        zk.getData(path, false, done, null);
        return answer;
    }

    /** Applies all operations or none. The value holds the result of each, even if none was applied. */
    CompletableFuture<Answer<List<OpResult>>> multi(List<Op> ops) {
        var answer = new CompletableFuture<Answer<List<OpResult>>>();
        AsyncCallback.MultiCallback done = (rc, asked, context, results) -> answer.complete(answer(rc, results));
        zk.multi(ops, done, null);
        return answer;
    }

    /**
     * Waits for an answer.
     *
     * @throws StoreUnavailableException if there is none in time
     */
    public <T> T await(Future<T> answer) throws InterruptedException {
        try {
            return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new StoreUnavailableException("no contact with " + address + " within " + DurationText.of(patience));
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof CoordinationException known) {
                throw known;
            }
            throw new CoordinationException("an inspection of " + address + " failed", failed.getCause());
        }
    }

    /** Ends the session. Blocks for at most 2 s. */
    @Override
    public void close() {
        var ended = new CountDownLatch(1);
        zk.end(confirmed -> ended.countDown());
        try {
            boolean unused = ended.await(END.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }

    private void event(WatchedEvent event) {
        switch (event.getState()) {
            case SyncConnected -> contact.complete(null);
            case AuthFailed ->
                contact.completeExceptionally(new CoordinationException("ZooKeeper refuses this client's credentials"));
            default -> {}
        }
    }

    private static <T> Answer<T> answer(int rc, @Nullable T value) {
        Code code = Code.get(rc);
        return new Answer<>(code == null ? Code.SYSTEMERROR : code, value);
    }
}
