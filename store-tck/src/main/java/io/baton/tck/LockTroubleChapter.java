package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.LockView;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.spi.Entry;
import io.baton.spi.Names;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The lock as applications use it when sessions end, contact breaks, or entries are removed. */
abstract class LockTroubleChapter extends Chapter {

    private static final Duration SHORT = Duration.ofMillis(100);

    @Test
    void hold_sessionExpires_isLostForGoodAndSignalledOnce() throws Exception {
        Coordinator baton = coordinator();
        Hold hold = baton.lock("tck").acquire();
        List<String> lost = new CopyOnWriteArrayList<>();
        hold.onLost(() -> lost.add("early"));

        expireHolderOf("tck");

        soon().until(() -> lost.equals(List.of("early")));
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(hold.remaining()).isZero();
        assertThatThrownBy(() -> hold.ensureValid(Duration.ZERO)).isInstanceOf(LockLostException.class);
        hold.onLost(() -> lost.add("late"));
        soon().until(() -> lost.equals(List.of("early", "late")));

        soon().until(() -> baton.state() == SessionState.CONNECTED);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        hold.close();
        outcome(hold.releaseAsync());
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(lost).containsExactly("early", "late");
    }

    @Test
    void hold_lost_closeRemovesNobodyElse() throws Exception {
        Hold old = coordinator().lock("tck").acquire();
        DistributedLock other = coordinator().lock("tck");
        CompletableFuture<Hold> next = other.acquireAsync();
        soon().until(() -> other.queue().size() == 2);
        expireHolderOf("tck");
        try (Hold hold = outcome(next)) {
            soon().until(() -> old.state() == HoldState.LOST);

            old.close();

            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(other.queue()).hasSize(1);
        }
    }

    @Test
    void waiter_sessionExpires_failsAndTheCoordinatorWorksAgain() throws Exception {
        Coordinator waitingHere = coordinator();
        try (Hold hold = coordinator().lock("tck").acquire()) {
            CompletableFuture<Hold> waiting = waitingHere.lock("tck").acquireAsync();
            soon().until(() -> waitingHere.lock("tck").queue().size() == 2);

            store().expire(entryAt("tck", 1).session());

            assertThatThrownBy(() -> outcome(waiting)).isInstanceOf(SessionLostException.class);
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
        try (Hold again = waitingHere.lock("tck").tryAcquire(PATIENCE).orElseThrow()) {
            assertThat(again.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void waiter_sessionExpiresAndJoinsAgain_standsBehindThoseWhoWaited() throws Exception {
        DistributedLock lock = steadyCoordinator().lock("tck");
        Hold first = lock.acquire();
        CompletableFuture<Hold> again = rejoiningCoordinator().lock("tck").acquireAsync();
        soon().until(() -> lock.queue().size() == 2);
        CompletableFuture<Hold> other = lock.acquireAsync();
        soon().until(() -> lock.queue().size() == 3);
        Entry before = entryAt("tck", 1);
        long behind = entryAt("tck", 2).token();

        store().expire(before.session());

        soon().until(() -> lock.queue().size() == 3 && entryAt("tck", 1).token() == behind);
        Entry anew = entryAt("tck", 2);
        assertThat(anew.session()).isNotEqualTo(before.session());
        first.close();
        Hold next = outcome(other);
        assertThat(again).isNotDone();
        next.close();
        try (Hold last = outcome(again)) {
            assertThat(last.token()).isEqualTo(anew.token());
            assertThat(lock.queue()).hasSize(1);
        }
    }

    @Test
    void waiter_sessionExpiresAndJoinsAgain_keepsItsTimeLimit() throws Exception {
        Coordinator waitingHere = rejoiningCoordinator();
        DistributedLock lock = steadyCoordinator().lock("tck");
        // Connected early, since the observed state is short-lived.
        TckClient looking = client();
        try (Hold hold = lock.acquire()) {
            var waiting = CompletableFuture.supplyAsync(
                    () -> tryFor(waitingHere, store().ttl().multipliedBy(2)));
            soon().until(() -> lock.queue().size() == 2);

            store().expire(entryAt(looking, "tck", 1).session());

            assertThat(outcome(waiting)).isEmpty();
            soon().until(() -> lock.queue().size() == 1);
            stays(() -> lock.queue().size() == 1);
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void waiter_cancelledWhenItsSessionExpires_leavesNoEntry() throws Exception {
        Coordinator waitingHere = rejoiningCoordinator();
        DistributedLock lock = steadyCoordinator().lock("tck");
        Hold hold = lock.acquire();
        CompletableFuture<Hold> waiting = waitingHere.lock("tck").acquireAsync();
        soon().until(() -> lock.queue().size() == 2);
        waitingHere.onState(state -> {
            if (state == SessionState.LOST) {
                waiting.cancel(false);
            }
        });

        store().expire(entryAt("tck", 1).session());

        soon().until(waiting::isCancelled);
        soon().until(() -> waitingHere.state() == SessionState.CONNECTED);
        soon().until(() -> lock.queue().size() == 1);
        stays(() -> lock.queue().size() == 1);
        hold.close();
        stays(() -> lock.queue().isEmpty());
    }

    @Test
    void waiter_closedWhenItsSessionExpires_failsAndLeavesNoEntry() throws Exception {
        Coordinator waitingHere = rejoiningCoordinator();
        DistributedLock lock = steadyCoordinator().lock("tck");
        Hold hold = lock.acquire();
        CompletableFuture<Hold> waiting = waitingHere.lock("tck").acquireAsync();
        soon().until(() -> lock.queue().size() == 2);
        waitingHere.onState(state -> {
            if (state == SessionState.LOST) {
                waitingHere.close();
            }
        });

        store().expire(entryAt("tck", 1).session());

        assertThatThrownBy(() -> outcome(waiting)).isInstanceOf(SessionLostException.class);
        soon().until(() -> lock.queue().size() == 1);
        stays(() -> lock.queue().size() == 1);
        hold.close();
    }

    @Test
    void waiter_entryRemovedBySomebody_failsEvenIfItMayJoinAgain() throws Exception {
        DistributedLock lock = rejoiningCoordinator().lock("tck");
        try (Hold hold = lock.acquire()) {
            CompletableFuture<Hold> waiting = lock.acquireAsync();
            soon().until(() -> lock.queue().size() == 2);

            store().removeEntry(entryAt("tck", 1).peer());

            // It may take the slow audit of all lines to find it.
            soon().atMost(Duration.ofSeconds(60)).until(waiting::isDone);
            assertThatThrownBy(() -> outcome(waiting)).isInstanceOf(LockLostException.class);
            stays(() -> lock.queue().size() == 1);
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void hold_sessionExpiresThoughWaitersMayJoinAgain_isLost() throws Exception {
        Coordinator baton = rejoiningCoordinator();
        Hold hold = baton.lock("tck").acquire();

        expireHolderOf("tck");

        soon().until(() -> hold.state() == HoldState.LOST);
        soon().until(() -> baton.state() == SessionState.CONNECTED);
        stays(() -> baton.lock("tck").queue().isEmpty());
    }

    @Test
    void hold_entryRemovedBySomebody_isLost() throws Exception {
        Coordinator baton = coordinator();
        Hold hold = baton.lock("tck").acquire();
        List<String> lost = new CopyOnWriteArrayList<>();
        hold.onLost(() -> lost.add("lost"));

        store().removeEntry(entryAt("tck", 0).peer());

        soon().until(() -> lost.equals(List.of("lost")));
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(baton.state()).isEqualTo(SessionState.CONNECTED);
        try (Hold next = baton.lock("tck").acquire()) {
            assertThat(next.token()).isGreaterThan(hold.token());
        }
        hold.close();
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry")
    void asLock_lostHold_throwsInsteadOfNesting() throws Exception {
        LockView view = coordinator().lock("tck").asLock();
        view.lockInterruptibly();
        Hold hold = view.current().orElseThrow();
        expireHolderOf("tck");
        soon().until(() -> hold.state() == HoldState.LOST);

        assertThatThrownBy(view::lock).isInstanceOf(LockLostException.class);

        view.unlock();
        assertThat(view.tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(view.current().orElseThrow().token()).isGreaterThan(hold.token());
        view.unlock();
    }

    @Test
    void hold_contactBrokenAndRestored_isInJeopardyAndThenHeld() throws Exception {
        Coordinator baton = coordinator();
        List<HoldState> states = new CopyOnWriteArrayList<>();
        try (Hold hold = baton.lock("tck").acquire()) {
            hold.onState(states::add);
            store().breakContact();
            soon().until(() -> hold.state() != HoldState.HELD);
            assertThat(hold.state()).isEqualTo(HoldState.JEOPARDY);
            assertThat(baton.state()).isEqualTo(SessionState.SUSPENDED);

            store().restoreContact();

            soon().until(() -> hold.state() == HoldState.HELD);
            soon().until(() -> !states.isEmpty() && states.get(states.size() - 1) == HoldState.HELD);
            assertThat(states).doesNotContain(HoldState.LOST);
        }
    }

    @Test
    void hold_contactBrokenForLong_isLostByItsOwnClock() throws Exception {
        Hold hold = briefCoordinator().lock("tck").acquire();
        List<String> lost = new CopyOnWriteArrayList<>();
        hold.onLost(() -> lost.add("lost"));

        store().breakContact();

        soon().until(() -> hold.state() == HoldState.LOST);
        assertThat(hold.remaining()).isZero();
        soon().until(() -> lost.equals(List.of("lost")));
        store().restoreContact();
        stays(() -> hold.state() == HoldState.LOST);
        hold.close();
    }

    @Test
    void hold_cutOffWhileAnotherWaits_isLostBeforeTheOtherIsGranted() throws Exception {
        Hold hold = briefCoordinator().lock("tck").acquire();
        DistributedLock other = steadyCoordinator().lock("tck");
        CompletableFuture<Hold> next = other.acquireAsync();
        CompletableFuture<HoldState> then = next.thenApply(granted -> hold.state());
        soon().until(() -> other.queue().size() == 2);

        store().breakContact();

        try (Hold granted = outcome(next)) {
            assertThat(outcome(then)).isEqualTo(HoldState.LOST);
            assertThat(granted.token()).isGreaterThan(hold.token());
        }
    }

    @Test
    void waiter_contactBrokenAndRestored_keepsItsPlace() throws Exception {
        DistributedLock lock = coordinator().lock("tck");
        Hold hold = lock.acquire();
        CompletableFuture<Hold> second = coordinator().lock("tck").acquireAsync();
        soon().until(() -> lock.queue().size() == 2);
        CompletableFuture<Hold> third = lock.acquireAsync();
        soon().until(() -> lock.queue().size() == 3);

        store().breakContact();
        soon().until(() -> hold.state() == HoldState.JEOPARDY);
        store().restoreContact();
        soon().until(() -> hold.state() == HoldState.HELD);
        hold.close();

        Hold next = outcome(second);
        assertThat(third).isNotDone();
        next.close();
        outcome(third).close();
    }

    @Test
    void tryAcquireWithTimeout_withoutContact_saysTheStoreIsUnavailable() throws Exception {
        Coordinator baton = coordinator();
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);

        assertThatThrownBy(() -> baton.lock("tck").tryAcquire(SHORT)).isInstanceOf(StoreUnavailableException.class);

        store().restoreContact();
        soon().until(() -> baton.state() == SessionState.CONNECTED);
        soon().until(() -> baton.lock("tck").queue().isEmpty());
    }

    @Test
    void release_withoutContact_isOwed() throws Exception {
        Coordinator baton = coordinator();
        Hold hold = baton.lock("tck").acquire();
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);

        CompletableFuture<Void> released = hold.releaseAsync();
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        stays(() -> !released.isDone());
        store().restoreContact();

        outcome(released);
        soon().until(() -> baton.state() == SessionState.CONNECTED);
        assertThat(baton.lock("tck").queue()).isEmpty();
    }

    @Test
    void state_contactBrokenAndRestored_isTold() throws Exception {
        Coordinator baton = coordinator();
        List<SessionState> states = new CopyOnWriteArrayList<>();
        baton.onState(states::add);
        soon().until(() -> states.equals(List.of(SessionState.CONNECTED)));

        store().breakContact();
        soon().until(() -> states.contains(SessionState.SUSPENDED));
        store().restoreContact();

        soon().until(() -> states.get(states.size() - 1) == SessionState.CONNECTED);
    }

    private static Optional<Hold> tryFor(Coordinator baton, Duration limit) {
        try {
            return baton.lock("tck").tryAcquire(limit);
        } catch (InterruptedException asked) {
            throw new IllegalStateException("interrupted", asked);
        }
    }

    private void expireHolderOf(String lock) throws Exception {
        store().expire(entryAt(lock, 0).session());
    }

    /** The entry at this place of a lock's line, as another client sees it. */
    private Entry entryAt(String lock, int place) throws InterruptedException {
        return entryAt(client(), lock, place);
    }

    private static Entry entryAt(TckClient looking, String lock, int place) throws InterruptedException {
        Peer peer = looking.peers("locks/" + Names.encode(lock)).get(place);
        return looking.details(peer).orElseThrow();
    }
}
