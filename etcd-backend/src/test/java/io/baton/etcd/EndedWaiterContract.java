package io.baton.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Dialect;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.SessionLostException;
import io.baton.testkit.etcd.EtcdExtension;
import io.baton.testkit.etcd.EtcdVersion;
import io.baton.testkit.proxy.TcpProxy;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.lock.LockGrpc;
import io.etcd.jetcd.api.lock.LockRequest;
import io.etcd.jetcd.api.lock.LockResponse;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever waits with a lease that ends meanwhile never holds; with the Lock service of an old server, somebody does. */
@Tag("etcd")
@Timeout(120)
abstract class EndedWaiterContract {

    private static final Duration TTL = Duration.ofSeconds(10);

    /** From this one on the server's Lock looks for its own key after the wait. */
    private static final EtcdVersion LOOKS = new EtcdVersion(3, 5, 0);

    private final List<AutoCloseable> open = new ArrayList<>();

    abstract EtcdExtension etcd();

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void acquire_leaseEndsWhileWaiting_neverHolds() throws Exception {
        Hold hold = lock(etcd().uri()).acquire();
        CompletableFuture<Hold> waiting = lock(etcd().uri()).acquireAsync();
        awaitEntries(2);

        etcd().server().expire(leaseOf(last()));
        hold.close();

        assertNeverHeld(waiting);
    }

    @Test
    void acquire_leaseEndsWhileCutOff_neverHolds() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(etcd().server().address())) {
            Hold hold = lock(etcd().uri()).acquire();
            CompletableFuture<Hold> waiting =
                    lock(etcd().server().uri(proxy, etcd().root())).acquireAsync();
            awaitEntries(2);
            long lease = leaseOf(last());

            proxy.refuse();
            proxy.cut();
            etcd().server().expire(lease);
            hold.close();
            awaitEntries(0);
            proxy.accept();

            assertNeverHeld(waiting);
        }
    }

    @Test
    void acquire_leaseEndsBehindASilentNetwork_neverHolds() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(etcd().server().address())) {
            Hold hold = lock(etcd().uri()).acquire();
            CompletableFuture<Hold> waiting =
                    lock(etcd().server().uri(proxy, etcd().root())).acquireAsync();
            awaitEntries(2);
            long lease = leaseOf(last());

            proxy.hold();
            etcd().server().expire(lease);
            hold.close();
            awaitEntries(0);
            proxy.release();

            assertNeverHeld(waiting);
        }
    }

    /** The server's own Lock: on 3.4 it gives a key that is not there, and with it the lock. */
    @Test
    void serversLock_leaseEndsWhileWaiting_holdsOnAnOldServerOnly() throws Exception {
        ManagedChannel channel = NettyChannelBuilder.forAddress(etcd().server().address())
                .usePlaintext()
                .build();
        open.add(channel::shutdownNow);
        String path = etcd().root() + "/served";
        Hold hold = lockAt(path).acquire();
        long lease = LeaseGrpc.newBlockingStub(channel)
                .leaseGrant(LeaseGrantRequest.newBuilder().setTTL(60).build())
                .getID();

        Future<LockResponse> waiting = LockGrpc.newFutureStub(channel)
                .lock(LockRequest.newBuilder()
                        .setName(ByteString.copyFromUtf8(path))
                        .setLease(lease)
                        .build());
        soon().until(() -> etcd().server().keys(path + "/").size() == 2);
        etcd().server().expire(lease);
        hold.close();

        if (etcd().server().version().compareTo(LOOKS) < 0) {
            String granted = waiting.get(30, SECONDS).getKey().toStringUtf8();
            assertThat(granted).startsWith(path + "/");
            assertThat(etcd().server().keys(path + "/")).as("nobody is there").isEmpty();
            Hold another = lockAt(path).acquire();
            assertThat(another.token()).as("two hold now").isPositive();
        } else {
            assertThatThrownBy(() -> waiting.get(30, SECONDS)).hasMessageContaining("session is expired");
        }
    }

    private void assertNeverHeld(CompletableFuture<Hold> waiting) {
        assertThatThrownBy(() -> waiting.get(30, SECONDS)).hasCauseInstanceOf(SessionLostException.class);
        awaitEntries(0);
    }

    private DistributedLock lock(String uri) throws InterruptedException {
        return connect(uri).lock("ended");
    }

    private DistributedLock lockAt(String path) throws InterruptedException {
        return connect(etcd().uri()).lockAt(path, Dialect.BATON);
    }

    private Coordinator connect(String uri) throws InterruptedException {
        Coordinator baton =
                Coordinator.connect(uri, CoordinatorOptions.builder().ttl(TTL).build());
        open.add(0, baton);
        return baton;
    }

    private List<String> entries() {
        return etcd().server().keys(etcd().root() + "/locks/");
    }

    private void awaitEntries(int number) {
        soon().until(() -> entries().size() == number);
    }

    /** The entry of who joined last: the keys are not in that order. */
    private String last() {
        return etcd().server()
                .ctl()
                .run(
                        "get",
                        "--prefix",
                        "--keys-only",
                        "--sort-by=create",
                        "--order=descend",
                        "--limit=1",
                        "--",
                        etcd().root() + "/locks/")
                .strip();
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }

    private static long leaseOf(String entry) {
        String name = entry.substring(entry.lastIndexOf('/') + 1);
        return Long.parseUnsignedLong(name.substring(0, name.indexOf('-')), 16);
    }
}
