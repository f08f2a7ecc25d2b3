package io.baton.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Subscription;
import io.baton.internal.HandLoop;
import io.baton.recipe.ClientLoop;
import io.baton.spi.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a coordinator's end waits for, in virtual time. */
@Timeout(60)
class CloseHooksTest {

    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final HandLoop loop = new HandLoop();
    private final CloseHooks drains = new CloseHooks(new ClientLoop(loop), CloseHooksTest::nothing);
    private final List<String> happened = new ArrayList<>();

    /** The client itself has nothing to end. */
    private static CompletionStage<Void> nothing() {
        return CompletableFuture.completedFuture(null);
    }

    @Test
    void add_loopIsClosed_endsAtOnce() {
        var closed = new EventLoop("close-hooks-test");
        closed.close();

        Subscription unused = new CloseHooks(new ClientLoop(closed), CloseHooksTest::nothing).add(() -> {
            happened.add("end");
            return CompletableFuture.completedFuture(null);
        });

        assertThat(happened).containsExactly("end");
    }

    @Test
    void drain_nothingToEnd_goesOnAtOnce() {
        drain();

        assertThat(happened).containsExactly("on");
        assertThat(loop.timers()).isZero();
    }

    @Test
    void drain_allHaveEnded_goesOnAtOnce() {
        add("a").complete(null);
        add("b").complete(null);

        drain();

        assertThat(happened).containsExactly("end a", "end b", "on");
        assertThat(loop.timers()).isZero();
    }

    @Test
    void drain_oneIsNotAtItsEnd_asksAllAndWaitsForIt() {
        CompletableFuture<Void> slow = add("a");
        add("b").complete(null);
        drain();
        loop.pass(LIMIT.minusNanos(1));
        assertThat(happened).containsExactly("end a", "end b");

        slow.complete(null);
        loop.run();

        assertThat(happened).containsExactly("end a", "end b", "on");
        assertThat(loop.timers()).isZero();
    }

    @Test
    void drain_oneFails_goesOnAllTheSame() {
        CompletableFuture<Void> failing = add("a");
        drain();

        failing.completeExceptionally(new IllegalStateException("on purpose"));
        loop.run();

        assertThat(happened).containsExactly("end a", "on");
    }

    @Test
    void drain_oneThrows_goesOn() {
        var unused = drains.add(() -> {
            happened.add("throws");
            throw new IllegalStateException("on purpose");
        });
        CompletableFuture<Void> other = add("a");
        drain();
        assertThat(happened).containsExactly("throws", "end a");

        other.complete(null);
        loop.run();

        assertThat(happened).containsExactly("throws", "end a", "on");
        assertThat(loop.timers()).isZero();
    }

    @Test
    void add_closingHasBegunAndTheHookThrows_isNoFailureOfTheCaller() {
        drain();
        Supplier<CompletionStage<Void>> hook = () -> {
            happened.add("throws");
            throw new IllegalStateException("on purpose");
        };
        var closed = new EventLoop("close-hooks-test");
        closed.close();

        var unused = drains.add(hook);
        loop.run();
        unused = new CloseHooks(new ClientLoop(closed), CloseHooksTest::nothing).add(hook);

        assertThat(happened).containsExactly("on", "throws", "throws");
    }

    @Test
    void drain_oneTakesTooLong_goesOnAtTheLimitAndOnlyOnce() {
        CompletableFuture<Void> slow = add("a");
        drain();

        loop.pass(LIMIT);
        assertThat(happened).containsExactly("end a", "on");

        slow.complete(null);
        loop.pass(LIMIT);
        assertThat(happened).containsExactly("end a", "on");
    }

    @Test
    void drain_endAndLimitAtTheSameMoment_goesOnOnlyOnce() {
        CompletableFuture<Void> slow = add("a");
        drain();

        loop.freeze(LIMIT);
        slow.complete(null);
        loop.run();

        assertThat(happened).containsExactly("end a", "on");
    }

    @Test
    void drain_endsAreToldElsewhere_goesOnOnTheLoop() {
        CompletableFuture<Void> slow = add("a");
        drain();

        slow.complete(null);
        assertThat(happened).containsExactly("end a");
        loop.run();

        assertThat(happened).containsExactly("end a", "on");
    }

    @Test
    void add_closingHasBegun_isAskedAtOnce() {
        drain();

        add("late");

        assertThat(happened).containsExactly("on", "end late");
    }

    @Test
    void close_subscription_isNotAskedAnyMore() {
        Subscription gone = drains.add(() -> {
            happened.add("end gone");
            return new CompletableFuture<>();
        });
        loop.run();

        gone.close();
        loop.run();
        drain();

        assertThat(happened).containsExactly("on");
    }

    private CompletableFuture<Void> add(String name) {
        var end = new CompletableFuture<Void>();
        var unused = drains.add(() -> {
            happened.add("end " + name);
            return end;
        });
        loop.run();
        return end;
    }

    private void drain() {
        drains.drain(LIMIT, () -> happened.add("on"));
    }
}
