package io.baton.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.Trouble;
import io.baton.memory.MemoryStore;
import io.baton.spi.Session;
import io.baton.spi.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store that lets one of its clients write no records: this is reported, and keeps nobody else from his work. */
@Timeout(120)
class RefusedStepsTest {

    private static final String STORE = "refused-steps";
    private static final Duration LONG = Duration.ofSeconds(60);

    private static final CoordinationException MAY_NOT = new CoordinationException("this client may not write");
    private static final CoordinationException NO_SPACE = new StoreUnavailableException("there is no space");

    private final AtomicBoolean refuses = new AtomicBoolean(true);
    private volatile CoordinationException why = MAY_NOT;
    private final AtomicInteger refusals = new AtomicInteger();
    private Coordinator other;
    private Coordinator refused;

    @BeforeEach
    void connect() throws InterruptedException {
        other = Coordinator.connect("mem:" + STORE);
        refused = Coordinator.connect(
                refusing(MemoryStore.named(STORE)),
                CoordinatorOptions.builder()
                        .requestTimeout(Duration.ofMillis(500))
                        .maxWaiting(2)
                        .build());
    }

    @AfterEach
    void close() {
        refused.close();
        other.close();
        MemoryStore.drop(STORE);
    }

    private static ConditionFactory soon() {
        return await().atMost(LONG);
    }

    @Test
    void serve_mayNotBegin_leavesTheLockToOthersAndIsReported() throws InterruptedException {
        try (Subscription first = Asking.named(refused, "snapshot")
                .serve(question -> question.text().getBytes(UTF_8))) {
            soon().until(() -> !other.lock("asking/snapshot").queue().isEmpty());
            Asking asking = Asking.named(other, "snapshot");
            CompletableFuture<byte[]> answer = asking.askAsync("order-1", "one".getBytes(UTF_8), LONG);
            soon().untilAsserted(() ->
                    assertThat(refused.trouble()).extracting(Trouble::what).contains("Cannot serve asking 'snapshot'"));

            try (Subscription second = asking.serve(question -> question.text().getBytes(UTF_8))) {
                assertThat(answer).succeedsWithin(LONG);
                assertThat(second).isNotSameAs(first);
            }
        }
        assertThat(refused.trouble()).isEmpty();
    }

    /** The others could not write either. */
    @Test
    void serve_storeTakesNoWrites_keepsTheLockAndIsReported() throws InterruptedException {
        why = NO_SPACE;
        try (Subscription first = Asking.named(refused, "snapshot")
                .serve(question -> question.text().getBytes(UTF_8))) {
            soon().until(() -> !other.lock("asking/snapshot").queue().isEmpty());
            long token = other.lock("asking/snapshot").queue().get(0).token();
            CompletableFuture<byte[]> answer =
                    Asking.named(other, "snapshot").askAsync("order-1", "one".getBytes(UTF_8), LONG);
            soon().untilAsserted(() ->
                    assertThat(refused.trouble()).extracting(Trouble::what).contains("Cannot serve asking 'snapshot'"));
            assertThat(other.lock("asking/snapshot").queue().get(0).token()).isEqualTo(token);

            refuses.set(false);

            assertThat(answer).succeedsWithin(LONG);
            soon().until(() -> refused.trouble().isEmpty());
        }
    }

    @Test
    void serve_tooManyWait_isReportedUntilThereIsRoom() throws InterruptedException {
        refuses.set(false);
        try (Hold held = other.lock("x").acquire()) {
            List<CompletableFuture<Hold>> waiting =
                    List.of(refused.lock("x").acquireAsync(), refused.lock("x").acquireAsync());
            try (Subscription serving = Asking.named(refused, "snapshot")
                    .serve(question -> question.text().getBytes(UTF_8))) {
                soon().untilAsserted(() -> assertThat(refused.trouble())
                        .extracting(Trouble::what)
                        .contains("Cannot serve asking 'snapshot'"));

                waiting.forEach(each -> each.cancel(true));

                soon().until(() -> refused.trouble().isEmpty());
            }
            assertThat(held.token()).isPositive();
        }
    }

    @Test
    void ask_storeTakesNoWrites_isReportedUntilTheQuestionIsOnRecord() throws InterruptedException {
        why = NO_SPACE;
        CompletableFuture<byte[]> answer =
                Asking.named(refused, "snapshot").askAsync("order-1", "one".getBytes(UTF_8), LONG);
        soon().untilAsserted(() -> assertThat(refused.trouble())
                .extracting(Trouble::what)
                .contains("Cannot ask questions of asking 'snapshot'"));

        refuses.set(false);

        soon().until(() -> refused.trouble().isEmpty());
        try (Subscription serving = Asking.named(other, "snapshot").serve(question -> "done".getBytes(UTF_8))) {
            assertThat(answer).succeedsWithin(LONG);
        }
    }

    @Test
    void ask_storeTakesNoWritesUntilTheTimeIsOver_failsAndIsNoTroubleAnyMore() throws InterruptedException {
        why = NO_SPACE;
        CompletableFuture<byte[]> answer =
                Asking.named(refused, "snapshot").askAsync("order-1", new byte[0], Duration.ofSeconds(5));
        soon().untilAsserted(() -> assertThat(refused.trouble()).isNotEmpty());

        assertThat(answer).failsWithin(LONG).withThrowableThat().withCause(NO_SPACE);
        soon().until(() -> refused.trouble().isEmpty());
    }

    /** It has done the work, but does not serve any more. */
    @Test
    void close_mayNotAnswer_leavesTheLockToOthers() throws InterruptedException {
        refuses.set(false);
        Subscription first = Asking.named(refused, "snapshot").serve(question -> {
            refuses.set(true);
            return "first".getBytes(UTF_8);
        });
        Asking asking = Asking.named(other, "snapshot");
        CompletableFuture<byte[]> answer = asking.askAsync("order-1", "one".getBytes(UTF_8), LONG);
        soon().untilAsserted(() ->
                assertThat(refused.trouble()).extracting(Trouble::what).contains("Cannot serve asking 'snapshot'"));

        first.close();

        try (Subscription second = asking.serve(question -> "second".getBytes(UTF_8))) {
            assertThat(answer).succeedsWithin(LONG).isEqualTo("second".getBytes(UTF_8));
        }
        soon().until(() -> refused.trouble().isEmpty());
    }

    @Test
    void barrier_storeTakesNoFirstWrite_isReportedUntilItIsWritten() throws InterruptedException {
        why = NO_SPACE;
        CompletableFuture<BarrierRound> only = Barrier.named(refused, "load", 1).awaitAsync();
        soon().untilAsserted(() -> assertThat(refused.trouble())
                .extracting(Trouble::what)
                .contains("Cannot read or change " + Barrier.TREE + "/load"));

        refuses.set(false);

        assertThat(only).succeedsWithin(LONG);
        soon().until(() -> refused.trouble().isEmpty());
    }

    @Test
    void barrier_verdictIsRefused_isReportedAndTriedEverMoreSeldomUntilItIsWritten() throws InterruptedException {
        verdictIsNotTaken();
    }

    @Test
    void barrier_storeTakesNoVerdict_isReportedAndTriedEverMoreSeldomUntilItIsWritten() throws InterruptedException {
        why = NO_SPACE;
        verdictIsNotTaken();
    }

    private void verdictIsNotTaken() throws InterruptedException {
        refuses.set(false);
        Barrier barrier = Barrier.named(refused, "load", 2);
        CompletableFuture<BarrierRound> first = barrier.awaitAsync();
        soon().until(() -> !other.records(Barrier.TREE).list("").isEmpty());
        refuses.set(true);
        CompletableFuture<BarrierRound> second = barrier.awaitAsync();
        soon().untilAsserted(() ->
                assertThat(refused.trouble()).extracting(Trouble::what).contains("Cannot decide on barrier 'load'"));
        int before = refusals.get();
        await().during(Duration.ofSeconds(3)).atMost(LONG).until(() -> !first.isDone() && !second.isDone());
        assertThat(refusals.get() - before).isLessThan(10);

        refuses.set(false);

        assertThat(first).succeedsWithin(LONG);
        assertThat(second).succeedsWithin(LONG);
        soon().until(() -> refused.trouble().isEmpty());
    }

    private Store refusing(Store store) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (own, method, given) -> {
                    Object answer = invoke(() -> method.invoke(store, given));
                    return answer instanceof Session session ? refusing(session) : answer;
                });
    }

    private Session refusing(Session session) {
        return (Session) Proxy.newProxyInstance(
                Session.class.getClassLoader(), new Class<?>[] {Session.class}, (own, method, given) -> {
                    if (method.getName().startsWith("transact") && refuses.get()) {
                        refusals.incrementAndGet();
                        return CompletableFuture.failedStage(why);
                    }
                    return invoke(() -> method.invoke(session, given));
                });
    }

    private interface Call {
        Object run() throws IllegalAccessException, InvocationTargetException;
    }

    private static Object invoke(Call call) throws Throwable {
        try {
            return call.run();
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
