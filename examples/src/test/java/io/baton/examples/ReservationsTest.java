package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.SessionLostException;
import io.baton.Subscription;
import io.baton.memory.MemoryStore;
import io.baton.recipes.Asking;
import io.baton.recipes.StandingQuestion;
import io.baton.recipes.StandingQuestion.State;
import io.baton.spi.Session;
import io.baton.spi.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each service has a coordinator of its own. A restart is a new one. */
@Timeout(120)
class ReservationsTest {

    private static final String STORE = "reservations";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Coordinator operator;

    @BeforeEach
    void connect() throws InterruptedException {
        operator = service();
        operator.records("stock").put("book", "2");
    }

    @AfterEach
    void close() {
        operator.close();
        MemoryStore.drop(STORE);
    }

    private static Coordinator service() throws InterruptedException {
        return Coordinator.connect("mem:" + STORE);
    }

    private String left() throws InterruptedException {
        return operator.records("stock").get("book").orElseThrow().text();
    }

    @Test
    void reserve_bothServicesRestartedMeanwhile_takesOne() throws Exception {
        var reached = new CountDownLatch(1);
        Coordinator stock = service();
        // A process of the stock service that has the order, and is restarted before it has done anything.
        Subscription serving = Asking.named(stock, "reservations").serve(question -> {
            reached.countDown();
            new CountDownLatch(1).await();
            return new byte[0];
        });
        Coordinator orders = service();
        var first = new CompletableFuture<Throwable>();
        Thread waiting = new Thread(() -> {
            try {
                first.completeExceptionally(new AssertionError(Reservations.reserve(orders, "order-1", "book")));
            } catch (Throwable expected) {
                first.complete(expected);
            }
        });
        waiting.start();
        reached.await();

        orders.close();
        assertThat(first).succeedsWithin(PATIENCE).isInstanceOf(SessionLostException.class);
        serving.close();
        stock.close();

        assertThat(questions()).extracting(StandingQuestion::state).containsExactly(State.BEGUN);
        try (Coordinator restarted = service();
                Subscription again = Reservations.serve(restarted);
                Coordinator ordersAgain = service()) {
            assertThat(Reservations.reserve(ordersAgain, "order-1", "book")).isEqualTo("reserved");
            assertThat(left()).isEqualTo("1");
            assertThat(Reservations.reserve(ordersAgain, "order-1", "book")).isEqualTo("reserved");
            assertThat(left()).isEqualTo("1");
            assertThat(Reservations.reserve(ordersAgain, "order-2", "book")).isEqualTo("reserved");
            assertThat(Reservations.reserve(ordersAgain, "order-3", "book")).isEqualTo("sold out");
        }
    }

    /** The handler does not know whether it has taken one: it has. */
    @Test
    void reserve_storeDoesNotAnswerTheReservation_takesOne() throws InterruptedException {
        reservesOne(() -> {}, true);
        assertThat(left()).isEqualTo("1");
    }

    @Test
    void reserve_stockIsFilledUpMeanwhile_takesOneOfTheNewStock() throws InterruptedException {
        reservesOne(
                () -> {
                    try {
                        operator.records("stock").put("book", "10");
                    } catch (InterruptedException asked) {
                        throw new AssertionError(asked);
                    }
                },
                false);
        assertThat(left()).isEqualTo("9");
    }

    /** Before the first reservation is written something happens, or its answer is lost. */
    private void reservesOne(Runnable before, boolean answerIsLost) throws InterruptedException {
        var happened = new AtomicBoolean();
        Store store = intercepting(Store.class, MemoryStore.named(STORE), (call, given) -> {
            Object opened = call.run();
            return opened instanceof Session session
                    ? intercepting(Session.class, session, (request, its) -> {
                        if (!writesAReservation(its) || happened.getAndSet(true)) {
                            return request.run();
                        }
                        before.run();
                        Object answer = request.run();
                        return answerIsLost
                                ? CompletableFuture.failedStage(new OutcomeUnknownException("no answer"))
                                : answer;
                    })
                    : opened;
        });
        try (Coordinator stock = Coordinator.connect(store, CoordinatorOptions.defaults());
                Subscription serving = Reservations.serve(stock)) {
            assertThat(Reservations.reserve(operator, "order-1", "book")).isEqualTo("reserved");
        }
        assertThat(happened).isTrue();
        assertThat(questions()).extracting(StandingQuestion::state).containsExactly(State.ANSWERED);
    }

    private static boolean writesAReservation(List<?> given) {
        return given.stream()
                .flatMap(each -> each instanceof List<?> all ? all.stream() : Stream.empty())
                .anyMatch(each -> each instanceof Op.Put put && put.key().tree().equals("reserved"));
    }

    private interface Call {
        Object run() throws Throwable;
    }

    private interface Interception {
        Object on(Call call, List<?> given) throws Throwable;
    }

    private static <T> T intercepting(Class<T> type, T to, Interception interception) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (own, method, given) -> {
            List<?> all = given == null ? List.of() : Arrays.asList(given);
            return interception.on(
                    () -> {
                        try {
                            return method.invoke(to, given);
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getCause();
                        }
                    },
                    all);
        }));
    }

    private List<StandingQuestion> questions() throws InterruptedException {
        return Asking.named(operator, "reservations").questions();
    }
}
