package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.ReleaseRequest;
import io.baton.Subscription;
import io.baton.internal.HandLoop;
import io.baton.internal.callback.CallbackPool;
import io.baton.internal.callback.ClientCallbacks;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Resource;
import io.baton.spi.Entry;
import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Proof;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class FencedHoldTest {

    private static final Duration VALID = Duration.ofSeconds(10);
    private static final Duration MARGIN = Duration.ofMillis(100);
    private static final Guarantees QUORUM = Guarantees.ofQuorum(10, 100_000, Duration.ofSeconds(1));

    private final HandLoop loop = new HandLoop();
    private final List<String> asked = new ArrayList<>();
    private final CompletableFuture<Void> removed = new CompletableFuture<>();
    private final FencedHold hold = hold();

    private FencedHold hold() {
        return hold(entry(), owner(), ClientCallbacks.on(loop));
    }

    private static Entry entry() {
        return new Entry(new Peer(Line.of("locks/orders"), "entry", 1), 42, new byte[0], "session");
    }

    private FencedHold.Owner owner() {
        return new FencedHold.Owner() {
            @Override
            public void expired() {
                asked.add("expired");
            }

            @Override
            public void doubted() {
                asked.add("doubted");
            }

            @Override
            public Subscription onReleaseRequested(FencedHold of, Consumer<ReleaseRequest> listener) {
                throw new UnsupportedOperationException();
            }

            @Override
            public CompletableFuture<Void> downgrade() {
                throw new UnsupportedOperationException();
            }

            @Override
            public CompletableFuture<Void> release() {
                asked.add("release");
                return removed;
            }
        };
    }

    private FencedHold hold(Entry entry, FencedHold.Owner owner, Callbacks callbacks) {
        return new FencedHold(
                Resource.lock("orders"),
                entry,
                proof(),
                new ClientLoop(loop),
                callbacks,
                Duration.ofMillis(1),
                QUORUM,
                owner,
                0);
    }

    private Proof proof() {
        long now = loop.nanoTime();
        return new Proof(now, loop.wallMillis(), now + VALID.toNanos(), MARGIN.toNanos());
    }

    @Test
    void state_frozenPastTheDeadline_isLostAtTheFirstLook() {
        loop.freeze(VALID.plusNanos(1));

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(hold.remaining()).isZero();
        assertThat(asked).containsExactly("expired");
    }

    @Test
    void remaining_frozenPastTheDeadline_isZeroAtTheFirstLook() {
        loop.freeze(VALID);

        assertThat(hold.remaining()).isZero();
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    @Test
    void remaining_timePasses_shrinksToTheDeadline() {
        loop.freeze(VALID.minusSeconds(3));

        assertThat(hold.remaining()).isEqualTo(Duration.ofSeconds(3));
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void extend_afterTheDeadline_doesNotResurrect() {
        loop.freeze(VALID.plusNanos(1));

        hold.extend(proof());

        assertThat(hold.remainingNanos()).isNegative();
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(hold.remaining()).isZero();
    }

    @Test
    void extend_onceLost_doesNotResurrect() {
        hold.markLost("removed by an operator");

        hold.extend(proof());
        hold.setInContact(true);
        hold.release();

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    @Test
    void extend_beforeTheDeadline_movesIt() {
        loop.freeze(VALID.minusSeconds(1));

        hold.extend(proof());

        assertThat(hold.remaining()).isEqualTo(VALID);
    }

    @Test
    void extend_olderProof_changesNothing() {
        Proof old = proof();
        loop.freeze(Duration.ofSeconds(1));
        hold.extend(proof());

        hold.extend(old);

        assertThat(hold.remaining()).isEqualTo(VALID);
    }

    @Test
    void state_wallClockGained_isJeopardyUntilProven() {
        loop.jumpWall(Duration.ofSeconds(4));

        assertThat(hold.state()).isEqualTo(HoldState.JEOPARDY);
        assertThat(hold.remaining()).isEqualTo(VALID.minusSeconds(4));
        assertThat(hold.state()).isEqualTo(HoldState.JEOPARDY);
        assertThat(asked).containsExactly("doubted");

        loop.freeze(Duration.ofMillis(1));
        hold.extend(proof());

        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(hold.remaining()).isEqualTo(VALID);
    }

    /** Who asks again with each answer that settles nothing asks as fast as the answers come. */
    @Test
    void extend_inDoubtByNoBetterProof_doubtIsNotToldAgain() {
        loop.jumpWall(Duration.ofSeconds(4));
        hold.state();

        hold.extend(proof());

        assertThat(hold.state()).isEqualTo(HoldState.JEOPARDY);
        assertThat(asked).containsExactly("doubted");
    }

    @Test
    void state_wallClockGainedMoreThanWasLeft_isJeopardyWithNothingLeft() {
        loop.jumpWall(Duration.ofHours(1));

        assertThat(hold.state()).isEqualTo(HoldState.JEOPARDY);
        assertThat(hold.remaining()).isZero();
        assertThatThrownBy(() -> hold.ensureValid(Duration.ofNanos(1))).isInstanceOf(LockLostException.class);
    }

    @Test
    void state_wallClockFellBack_changesNothing() {
        loop.jumpWall(Duration.ofHours(-1));

        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(hold.remaining()).isEqualTo(VALID);
    }

    @Test
    void shorten_proofReachesLessFar_movesTheDeadlineBack() {
        Proof present = proof();
        Proof shorter = new Proof(
                present.sentNanos(), present.sentWallMillis(), present.deadlineNanos() - 1_000, present.marginNanos());

        hold.shorten(shorter);
        assertThat(hold.remainingNanos()).isEqualTo(VALID.toNanos() - 1_000);

        hold.shorten(present);
        assertThat(hold.remainingNanos()).isEqualTo(VALID.toNanos() - 1_000);
    }

    @Test
    void left_lost_isNothing() {
        assertThat(hold.remainingNanos()).isEqualTo(VALID.toNanos());
        hold.markLost("gone");

        assertThat(hold.remainingNanos()).isZero();
        assertThat(hold.whyLost()).isEqualTo("gone");
    }

    @Test
    void expire_held_isLostForWantOfAProof() {
        hold.markExpired();

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(hold.whyLost()).contains("did not confirm the session");
    }

    @Test
    void lose_released_staysReleased() {
        hold.release();
        hold.markLost("gone");

        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThat(hold.remaining()).isZero();
        assertThat(hold.whyLost()).isEmpty();
    }

    @Test
    void tell_watched_tellsAtOnce() {
        List<HoldState> told = new ArrayList<>();
        hold.addWatcher(told::add);

        hold.notifyListeners();
        assertThat(told).containsExactly(HoldState.HELD);
        hold.setInContact(false);
        hold.notifyListeners();
        hold.setInContact(true);
        hold.notifyListeners();
        assertThat(told).containsExactly(HoldState.HELD, HoldState.JEOPARDY, HoldState.HELD);
    }

    @Test
    void hold_isOfWhatItWasGrantedFor() {
        assertThat(hold.name()).isEqualTo("orders");
        assertThat(hold.token()).isEqualTo(42);
        assertThat(hold.peer()).isEqualTo(new Peer(Line.of("locks/orders"), "entry", 1));
        assertThat(hold).hasToString("lock 'orders' with token 42");
    }

    @Test
    void ensureValid_enoughLeft_returns() {
        assertThatCode(() -> hold.ensureValid(VALID)).doesNotThrowAnyException();
    }

    @Test
    void ensureValid_tooLittleLeft_saysHowMuchAndThatItIsNotLost() {
        loop.freeze(Duration.ofSeconds(7));

        assertThatThrownBy(() -> hold.ensureValid(Duration.ofSeconds(5)))
                .isInstanceOf(LockLostException.class)
                .hasMessageContainingAll("orders", "42", "3 s", "5 s", "not known to be lost");
    }

    @Test
    void ensureValid_forLongerThanClocksCount_isTooLittle() {
        assertThatThrownBy(() -> hold.ensureValid(ChronoUnit.FOREVER.getDuration()))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("not known to be lost");
    }

    @Test
    void ensureValid_lost_saysSinceWhenAndWhy() {
        hold.markLost("somebody removed its entry");
        loop.freeze(Duration.ofMillis(2_500));

        assertThatThrownBy(() -> hold.ensureValid(Duration.ZERO))
                .isInstanceOf(LockLostException.class)
                .hasMessageContainingAll("orders", "42", "2.5 s ago", "somebody removed its entry");
    }

    @Test
    void ensureValid_released_saysSo() {
        hold.releaseAsync();

        assertThatThrownBy(() -> hold.ensureValid(Duration.ZERO)).hasMessageContaining("released");
    }

    @Test
    void close_held_isReleasedAtOnceAndAsksForTheRemoval() {
        hold.close();

        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThat(hold.remaining()).isZero();
        assertThat(asked).containsExactly("release");
    }

    @Test
    void close_deadlinePassedUnnoticed_isLostAndDoesNotThrow() {
        loop.freeze(VALID);

        hold.close();

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(asked).containsExactly("expired", "release");
    }

    @Test
    void close_interrupted_returnsEarlyAndKeepsTheInterrupt() {
        Thread.currentThread().interrupt();

        hold.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
    }

    @Test
    void releaseAsync_removalConfirmed_completesOnACallback() {
        CompletableFuture<Void> released = hold.releaseAsync();
        removed.complete(null);
        assertThat(released).isNotDone();

        loop.run();

        assertThat(released).isCompleted();
    }

    @Test
    void onState_registered_isToldThePresentStateAndLaterOnes() {
        List<HoldState> told = new ArrayList<>();
        hold.onState(told::add);
        loop.run();
        assertThat(told).containsExactly(HoldState.HELD);

        hold.setInContact(false);
        hold.notifyListeners();
        loop.run();
        hold.markLost("gone");
        hold.notifyListeners();
        hold.notifyListeners();
        loop.run();

        assertThat(told).containsExactly(HoldState.HELD, HoldState.JEOPARDY, HoldState.LOST);
    }

    @Test
    void onLost_lostAlready_runsOnce() {
        hold.markLost("gone");
        List<String> told = new ArrayList<>();
        hold.onLost(() -> told.add("lost"));
        loop.run();
        hold.notifyListeners();
        loop.run();

        assertThat(told).containsExactly("lost");
    }

    @Test
    void onLost_closedBefore_neverRuns() {
        List<String> told = new ArrayList<>();
        hold.onLost(() -> told.add("lost"));
        loop.freeze(VALID);
        hold.close();
        hold.notifyListeners();
        loop.run();

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(told).isEmpty();
    }

    @Test
    void onLost_subscriptionClosed_neverRuns() {
        List<String> told = new ArrayList<>();
        hold.onLost(() -> told.add("lost")).close();
        hold.markLost("gone");
        hold.notifyListeners();
        loop.run();

        assertThat(told).isEmpty();
    }

    /** A loss is what an owner has to hear in time; what else there is to hear may wait. */
    @Test
    void onLost_whileAllCallbackThreadsAreBlocked_runs() throws InterruptedException {
        ClientCallbacks pooled = ClientCallbacks.pooled("blocked");
        FencedHold another = hold(entry(), owner(), pooled);
        CountDownLatch lost = new CountDownLatch(1);
        CountDownLatch toldFirst = new CountDownLatch(1);
        another.onState(state -> toldFirst.countDown());
        loop.run();
        assertThat(toldFirst.await(30, TimeUnit.SECONDS)).isTrue();
        another.onLost(lost::countDown);
        loop.run();
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(CallbackPool.MAX_THREADS);
        for (int i = 0; i < CallbackPool.MAX_THREADS; i++) {
            pooled.run(() -> {
                blocked.countDown();
                await(release);
            });
        }
        assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();

        another.markLost("gone");
        another.notifyListeners();

        assertThat(lost.await(30, TimeUnit.SECONDS)).isTrue();
        release.countDown();
        pooled.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }
}
