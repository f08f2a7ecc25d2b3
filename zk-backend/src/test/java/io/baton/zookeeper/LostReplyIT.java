package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.QueueEntry;
import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests that the server has applied, and whose replies are lost with the connection. */
class LostReplyIT {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    private TcpProxy proxy;
    private Coordinator troubled;
    private Coordinator steady;

    @BeforeEach
    void connect() throws Exception {
        proxy = TcpProxy.to(zookeeper.server().address());
        CoordinatorOptions patient =
                CoordinatorOptions.builder().ttl(Duration.ofSeconds(20)).build();
        troubled = Coordinator.connect(zookeeper.server().uri(proxy, zookeeper.chroot()), patient);
        steady = Coordinator.connect(zookeeper.uri(), patient);
        steady.lock("orders").acquire().close(); // makes the line's node
        troubled.lock("orders").acquire().close(); // knows how long the line is: the next join is a create at once
    }

    @AfterEach
    void close() {
        troubled.close();
        steady.close();
        proxy.close();
    }

    @Test
    void acquire_replyToTheJoinLost_takesTheEntryThatWasMade() throws Exception {
        proxy.hold(Direction.TO_CLIENT);
        CompletableFuture<Hold> acquiring = troubled.lock("orders").acquireAsync();
        await().until(() -> queue().size() == 1);
        long made = queue().get(0).token();

        loseReplies();

        try (Hold hold = acquiring.get(30, SECONDS)) {
            assertThat(hold.token()).isEqualTo(made);
            assertThat(queue()).hasSize(1);
        }
        assertThat(queue()).isEmpty();
    }

    @Test
    void cancel_replyToTheJoinLost_leavesNoEntry() throws Exception {
        proxy.hold(Direction.TO_CLIENT);
        CompletableFuture<Hold> acquiring = troubled.lock("orders").acquireAsync();
        await().until(() -> queue().size() == 1);
        acquiring.cancel(true);

        loseReplies();

        await().atMost(30, SECONDS).until(() -> queue().isEmpty());
    }

    @Test
    void release_replyLost_isConfirmedAfterwardsAndTheNextIsGranted() throws Exception {
        Hold hold = troubled.lock("orders").acquire();
        CompletableFuture<Hold> next = steady.lock("orders").acquireAsync();
        await().until(() -> queue().size() == 2);
        proxy.hold(Direction.TO_CLIENT);
        CompletableFuture<Void> released = hold.releaseAsync();
        next.get(30, SECONDS).close();
        assertThat(released).isNotDone();

        loseReplies();

        released.get(30, SECONDS);
        assertThat(queue()).isEmpty();
    }

    @Test
    void transact_replyLost_saysThatTheOutcomeIsUnknown() throws Exception {
        steady.records("stock").put("a", new byte[0]);
        try (Hold hold = troubled.lock("orders").acquire()) {
            proxy.hold(Direction.TO_CLIENT);
            CompletableFuture<Boolean> writing = troubled.transactAsync(
                    List.of(Guard.held(hold)),
                    List.of(Op.put(troubled.records("stock").key("a"), "sold")));
            await().until(() ->
                    steady.records("stock").get("a").orElseThrow().text().equals("sold"));

            loseReplies();

            assertThatThrownBy(() -> writing.get(30, SECONDS)).hasCauseInstanceOf(OutcomeUnknownException.class);
        }
    }

    private void loseReplies() {
        proxy.cut();
        proxy.release();
    }

    private List<QueueEntry> queue() throws InterruptedException {
        return steady.lock("orders").queue();
    }
}
