package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.recipe.RecipeContext;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A record that does not fit into an answer that this client takes: this is reported, and a hold beside it lives on. */
@Tag("long")
@Timeout(180)
class LargeRecordIT {

    private static final int LIMIT = 100_000;
    private static final RecordKey LARGE = new RecordKey("large", "record");
    private static final Duration TTL = CoordinatorOptions.defaults().ttl();

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @AfterEach
    void restoreLimit() {
        System.clearProperty(ZKClientConfig.JUTE_MAXBUFFER);
    }

    @Test
    void get_tooLarge_failsWithTheLimitsNameAndAHoldBesideItIsNotLost() throws Exception {
        try (Coordinator writer = Coordinator.connect(zookeeper.uri());
                Coordinator baton = connectWithLimit();
                QuietHold quiet = new QuietHold(baton)) {
            write(writer, 2 * LIMIT);

            for (int i = 0; i < 3; i++) {
                var read = RecipeContext.of(baton, "tests").records().read(LARGE);
                assertThat(read)
                        .failsWithin(TTL)
                        .withThrowableThat()
                        .withCauseInstanceOf(StoreUnavailableException.class)
                        .withMessageContaining("jute.maxbuffer");
            }

            assertThat(quiet.worst()).isLessThan(HoldState.LOST);
        }
    }

    @Test
    void follow_tooLarge_isReportedAndAHoldBesideItIsNotLostAndFollowsOnceItFits() throws Exception {
        try (Coordinator writer = Coordinator.connect(zookeeper.uri());
                Coordinator baton = connectWithLimit();
                QuietHold quiet = new QuietHold(baton)) {
            write(writer, 2 * LIMIT);
            var value = new CompletableFuture<Optional<Item>>();
            try (Subscription following =
                    RecipeContext.of(baton, "tests").records().observe(LARGE, value::complete)) {
                await().atMost(60, SECONDS).until(() -> !baton.trouble().isEmpty());
                assertThat(baton.trouble().get(0).why()).contains("large/record", "jute.maxbuffer");
                await().during(TTL)
                        .atMost(TTL.multipliedBy(2))
                        .until(() -> quiet.worst().compareTo(HoldState.LOST) < 0);

                write(writer, 1);
                assertThat(value.get(60, SECONDS)).isPresent();
                assertThat(following).isNotNull();
            }
        }
    }

    private static Coordinator connectWithLimit() throws InterruptedException {
        System.setProperty(ZKClientConfig.JUTE_MAXBUFFER, String.valueOf(LIMIT));
        return Coordinator.connect(zookeeper.uri());
    }

    private static void write(Coordinator writer, int bytes) throws InterruptedException {
        assertThat(writer.transact(List.of(), List.of(Op.put(LARGE, new byte[bytes]))))
                .isTrue();
    }
}
