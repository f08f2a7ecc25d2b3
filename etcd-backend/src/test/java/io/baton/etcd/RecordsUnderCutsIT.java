package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.Settings;
import io.baton.spi.Condition;
import io.baton.spi.EventLoop;
import io.baton.spi.Link;
import io.baton.spi.Session;
import io.baton.spi.SessionSpec;
import io.baton.spi.TreeListener;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.TcpProxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records on a real server, with connections that break all the time. */
@Tag("etcd")
class RecordsUnderCutsIT {

    private static final RecordKey A = new RecordKey("tck", "a");
    private static final RecordKey B = new RecordKey("tck", "b");
    private static final int WRITES = 300;

    private LocalEtcd etcd;
    private TcpProxy proxy;
    private Client steady;
    private Client shaken;

    @BeforeEach
    void start() {
        etcd = LocalEtcd.start();
        proxy = TcpProxy.to(etcd.address());
        steady = new Client(etcd.uri("app"));
        shaken = new Client(etcd.uri(proxy, "app"));
    }

    @AfterEach
    void stop() {
        shaken.close();
        steady.close();
        proxy.close();
        etcd.close();
    }

    @Test
    void observe_cutAgainAndAgain_isToldEachRevisionOnceAndInOrder() {
        Seen seen = shaken.observe();

        for (int i = 0; i < WRITES; i++) {
            steady.put(i % 2 == 0 ? A : B, String.valueOf(i));
            if (i % 20 == 10) {
                proxy.cut();
            }
        }

        soon().until(() -> seen.values.size() >= WRITES);
        assertThat(seen.values).containsExactlyElementsOf(numbers());
        assertThat(seen.snapshots).hasValue(1);
    }

    @Test
    void observe_serverRestarted_isToldEachRevisionOnceAndInOrder() {
        Seen seen = shaken.observe();
        for (int i = 0; i < WRITES; i++) {
            steady.put(A, String.valueOf(i));
            if (i == WRITES / 2) {
                etcd.restart();
            }
        }

        soon().until(() -> seen.values.size() >= WRITES);
        assertThat(seen.values).containsExactlyElementsOf(numbers());
        assertThat(seen.snapshots).hasValue(1);
    }

    @Test
    void observe_compactedWhileOutOfContact_startsAnewWithASnapshot() {
        steady.put(A, "one");
        steady.put(B, "one");
        Seen seen = shaken.observe();
        proxy.refuse();
        proxy.cut();
        soon().until(() -> shaken.session.link() == Link.SUSPENDED);

        steady.put(A, "two");
        steady.ask(session -> session.transact(List.of(), List.of(Op.delete(B))));
        etcd.compact();
        proxy.accept();

        soon().until(() -> seen.snapshots.get() == 2);
        assertThat(seen.state).isEqualTo(Map.of("a", "two"));
        steady.put(B, "three");
        soon().until(() -> seen.state.equals(Map.of("a", "two", "b", "three")));
        assertThat(seen.snapshots).hasValue(2);
    }

    @Test
    void transact_requestNeverArrives_isSentAgain() {
        steady.put(A, "start");
        for (int i = 0; i < 5; i++) {
            Item now = shaken.get(A);
            proxy.hold(Direction.TO_SERVER);
            var answer = shaken.begin(write(now, String.valueOf(i)));
            proxy.cut();
            proxy.release();

            assertThat(answer).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
            assertThat(steady.get(A).text()).isEqualTo(String.valueOf(i));
        }
    }

    @Test
    void transact_answerNeverArrives_isUnknownAndAppliedOnce() {
        steady.put(A, "start");
        for (int i = 0; i < 5; i++) {
            Item before = shaken.get(A);
            proxy.hold(Direction.TO_CLIENT);
            var answer = shaken.begin(write(before, String.valueOf(i)));
            soon().until(() -> !steady.get(A).revision().equals(before.revision()));
            Item after = steady.get(A);
            proxy.cut();
            proxy.release();

            assertThat(answer)
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableThat()
                    .withCauseInstanceOf(OutcomeUnknownException.class);
            assertThat(steady.get(A).revision()).isEqualTo(after.revision());
        }
    }

    @Test
    void transact_cutAtAnyMoment_appliesWhatWasAcknowledgedAndNothingTwice() {
        steady.put(A, "0");
        proxy.delay(Duration.ofMillis(1));
        int applied = 0;
        int unknown = 0;
        for (int i = 0; i < 40; i++) {
            Item now = shaken.get(A);
            var answer = shaken.begin(write(now, String.valueOf(Integer.parseInt(now.text()) + 1)));
            if (i % 2 == 0) {
                proxy.cut();
            }
            try {
                assertThat(Client.result(answer)).as("nobody else writes").isTrue();
                applied++;
            } catch (OutcomeUnknownException perhaps) {
                unknown++;
            }
        }

        int counted = Integer.parseInt(steady.get(A).text());
        assertThat(counted).isBetween(applied, applied + unknown);
        assertThat(applied).isGreaterThanOrEqualTo(20);
    }

    private static Function<Session, CompletionStage<Boolean>> write(Item over, String value) {
        return session -> session.transact(
                List.of(new Condition.Unchanged(over.key(), over.revision())), List.of(Op.put(over.key(), value)));
    }

    private static List<String> numbers() {
        return IntStream.range(0, WRITES).mapToObj(String::valueOf).toList();
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }

    /** A session on a loop of its own. */
    private static final class Client extends DeafListener implements AutoCloseable {

        private final EventLoop loop = new EventLoop("test");
        private final Session session;

        Client(String uri) {
            var store = new LiveEtcdStore(EtcdAddress.parse(URI.create(uri)), Settings.NONE);
            session = on(() -> store.open(new SessionSpec(Duration.ofSeconds(20), "test"), loop, this));
            soon().until(() -> session.link() == Link.CONNECTED);
        }

        private <T> T on(Supplier<T> act) {
            return CompletableFuture.supplyAsync(act, loop).join();
        }

        /** Asks. */
        <T> CompletableFuture<T> begin(Function<Session, CompletionStage<T>> question) {
            return on(() -> question.apply(session)).toCompletableFuture();
        }

        /** Asks, and waits for the answer. */
        <T> T ask(Function<Session, CompletionStage<T>> question) {
            return result(begin(question));
        }

        static <T> T result(CompletableFuture<T> answer) {
            try {
                return answer.join();
            } catch (CompletionException failed) {
                throw failed.getCause() instanceof CoordinationException known ? known : failed;
            }
        }

        Item get(RecordKey key) {
            return ask(session -> session.get(key)).orElseThrow();
        }

        void put(RecordKey key, String value) {
            try {
                ask(session -> session.transact(List.of(), List.of(Op.put(key, value))));
            } catch (OutcomeUnknownException perhaps) {
                assertThat(get(key).text()).isEqualTo(value);
            }
        }

        Seen observe() {
            Seen seen = new Seen();
            on(() -> Optional.of(session.observe("tck", seen)));
            soon().until(() -> seen.snapshots.get() == 1);
            return seen;
        }

        @Override
        public void close() {
            ask(Session::close);
            loop.close();
        }
    }

    /** What an observer is told. */
    private static final class Seen implements TreeListener {

        private final AtomicInteger snapshots = new AtomicInteger();
        private final List<String> values = new CopyOnWriteArrayList<>();
        private final Map<String, String> state = new ConcurrentHashMap<>();

        @Override
        public void snapshot(List<Item> all, Position at) {
            state.clear();
            all.forEach(item -> state.put(item.key().name(), item.text()));
            snapshots.incrementAndGet();
        }

        @Override
        public void changed(List<Item> put, List<RecordKey> gone, long revision) {
            put.forEach(item -> {
                values.add(new String(item.value(), UTF_8));
                state.put(item.key().name(), item.text());
            });
            gone.forEach(key -> state.remove(key.name()));
        }
    }
}
