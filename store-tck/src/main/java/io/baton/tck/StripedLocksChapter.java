package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.MultiHold;
import io.baton.SessionLostException;
import io.baton.recipes.StripedLocks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Locks for many keys. */
abstract class StripedLocksChapter extends Chapter {

    private static StripedLocks locks(Coordinator baton) {
        return StripedLocks.named(baton, "tck", 8);
    }

    /** Returns a key of another stripe than this one. */
    private static String apart(StripedLocks locks, String key) {
        for (int i = 0; ; i++) {
            if (locks.stripe("key-" + i) != locks.stripe(key)) {
                return "key-" + i;
            }
        }
    }

    @Test
    void forKey_twoCoordinators_excludeEachOtherByStripe() throws InterruptedException {
        StripedLocks here = locks(coordinator());
        StripedLocks there = locks(coordinator());
        String other = apart(here, "a");

        try (Hold held = here.forKey("a").acquire()) {
            assertThat(there.forKey("a").tryAcquire()).isEmpty();
            try (Hold another = there.forKey(other).acquire()) {
                assertThat(another.state()).isEqualTo(HoldState.HELD);
                assertThat(held.state()).isEqualTo(HoldState.HELD);
            }
        }
        there.forKey("a").acquire().close();
    }

    @Test
    void acquireAll_oneIsTaken_waitsAndHoldsAllThen() throws Exception {
        StripedLocks here = locks(coordinator());
        StripedLocks there = locks(coordinator());
        String other = apart(here, "a");
        CompletableFuture<MultiHold> waiting;
        try (Hold held = here.forKey("a").acquire()) {
            assertThat(there.tryAcquireAll(List.of("a", other), Duration.ZERO)).isEmpty();
            assertThat(there.tryAcquireAll(List.of("a", other), Duration.ofMillis(100)))
                    .isEmpty();
            waiting = there.acquireAllAsync(List.of("a", other));
            soon().until(() -> here.forKey("a").queue().size() == 2);
            assertThat(held.state()).isEqualTo(HoldState.HELD);
        }

        try (MultiHold all = outcome(waiting)) {
            assertThat(all.holds()).hasSize(2);
            assertThat(here.forKey(other).tryAcquire()).isEmpty();
        }
        here.acquireAll(List.of("a", other)).close();
    }

    @Test
    void acquireAllAsync_timedOut_leavesNothing() throws Exception {
        StripedLocks locks = locks(coordinator());
        String other = apart(locks, "a");
        try (Hold hold = locks.forKey(other).acquire()) {
            CompletableFuture<MultiHold> late = locks.acquireAllAsync(List.of("a", other));
            soon().until(() -> locks.forKey(other).queue().size() == 2);

            assertThatThrownBy(() -> outcome(late.orTimeout(1, TimeUnit.MILLISECONDS)))
                    .hasRootCauseInstanceOf(TimeoutException.class);

            soon().until(() -> locks.forKey(other).queue().size() == 1);
            soon().until(() -> locks.forKey("a").queue().isEmpty());
            assertThat(hold.remaining()).isPositive();
        }
    }

    @Test
    void contact_brokenAndRestored_staysHeldAndTheWaiterIsGranted() throws Exception {
        StripedLocks here = locks(coordinator());
        MultiHold all = here.acquireAll(List.of("a", "b"));
        CompletableFuture<MultiHold> waiting = locks(coordinator()).acquireAllAsync(List.of("a"));
        soon().until(() -> here.forKey("a").queue().size() == 2);

        store().breakContact();
        soon().until(() -> all.state() == HoldState.JEOPARDY);
        store().restoreContact();

        soon().until(() -> all.state() == HoldState.HELD);
        stays(() -> !waiting.isDone());
        all.close();
        outcome(waiting).close();
    }

    @Test
    void session_expired_isLostAndTheObjectIsOfUseAgain() throws Exception {
        StripedLocks here = locks(coordinator());
        MultiHold all = here.acquireAll(List.of("a"));
        TckClient looking = client();
        var holder = looking.peers("locks/tck%2F" + here.stripe("a")).get(0);

        store().expire(looking.details(holder).orElseThrow().session());

        soon().until(() -> all.state() == HoldState.LOST);
        locks(coordinator()).acquireAll(List.of("a")).close();
        here.acquireAll(List.of("a")).close();
    }

    @Test
    void acquireAll_coordinatorClosedMeanwhile_fails() throws Exception {
        StripedLocks other = locks(coordinator());
        try (MultiHold all = other.acquireAll(List.of("a"))) {
            Coordinator closing = coordinator();
            CompletableFuture<MultiHold> waiting = locks(closing).acquireAllAsync(List.of("a"));
            soon().until(() -> other.forKey("a").queue().size() == 2);

            closing.close();

            assertThatThrownBy(() -> outcome(waiting)).isInstanceOf(SessionLostException.class);
            assertThat(all.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void nonsense_isRefused() throws InterruptedException {
        Coordinator baton = coordinator();

        assertThatThrownBy(() -> StripedLocks.named(baton, "tck", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one stripe");
        assertThatThrownBy(() -> locks(baton).acquireAllAsync(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no key");
    }
}
