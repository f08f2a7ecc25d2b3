package io.baton.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.SessionState;
import io.baton.internal.HandLoop;
import io.baton.recipe.ClientLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Coalescing, with callbacks that run when the test says so. */
class ListenersTest {

    private final HandLoop loop = new HandLoop();
    private final Deque<Runnable> callbacks = new ArrayDeque<>();
    private final Listeners<SessionState> listeners = new Listeners<>(
            new ClientLoop(loop), ClientCallbacks.on(callbacks::add), "a test", state -> state == SessionState.LOST);
    private final List<SessionState> told = new ArrayList<>();

    private void runCallbacks() {
        while (!callbacks.isEmpty()) {
            callbacks.remove().run();
        }
    }

    private void register() {
        listeners.add(told::add, () -> SessionState.CONNECTED);
        loop.run();
    }

    private void tell(SessionState... states) {
        for (SessionState state : states) {
            listeners.publish(state);
        }
    }

    @Test
    void add_anyTime_replaysThePresentState() {
        register();
        runCallbacks();

        assertThat(told).containsExactly(SessionState.CONNECTED);
    }

    @Test
    void tell_slowListener_isToldTheNewestOnly() {
        register();
        tell(SessionState.SUSPENDED, SessionState.CONNECTED, SessionState.SUSPENDED);
        runCallbacks();

        assertThat(told).containsExactly(SessionState.SUSPENDED);
    }

    @Test
    void tell_slowListenerAndALoss_isToldTheLoss() {
        register();
        tell(SessionState.SUSPENDED, SessionState.LOST, SessionState.CONNECTED, SessionState.SUSPENDED);
        runCallbacks();

        assertThat(told).containsExactly(SessionState.LOST, SessionState.SUSPENDED);
    }

    @Test
    void tell_secondLossBehindACoalescedRecovery_isTold() {
        register();
        tell(SessionState.LOST);
        runCallbacks();
        tell(SessionState.CONNECTED, SessionState.LOST);
        runCallbacks();

        assertThat(told).containsExactly(SessionState.LOST, SessionState.LOST);
    }

    @Test
    void tell_slowListenerForEver_keepsTwoMessagesAtMost() {
        register();
        for (int i = 0; i < 1_000; i++) {
            tell(SessionState.LOST, SessionState.CONNECTED);
        }
        runCallbacks();

        assertThat(told).containsExactly(SessionState.LOST, SessionState.CONNECTED);
        assertThat(callbacks).isEmpty();
    }

    @Test
    void tell_backToWhatWasDelivered_isNotRepeated() {
        register();
        runCallbacks();
        tell(SessionState.SUSPENDED, SessionState.CONNECTED);
        runCallbacks();

        assertThat(told).containsExactly(SessionState.CONNECTED);
    }

    @Test
    void tell_subscriptionClosed_tellsNothingMore() {
        var subscription = listeners.add(told::add, () -> SessionState.CONNECTED);
        loop.run();
        subscription.close();
        runCallbacks();
        tell(SessionState.LOST);
        runCallbacks();

        assertThat(told).isEmpty();
    }

    @Test
    void tell_listenerThatThrows_staysRegistered() {
        listeners.add(
                state -> {
                    told.add(state);
                    throw new IllegalStateException("on purpose");
                },
                () -> SessionState.CONNECTED);
        loop.run();
        runCallbacks();
        tell(SessionState.SUSPENDED);
        runCallbacks();

        assertThat(told).containsExactly(SessionState.CONNECTED, SessionState.SUSPENDED);
    }
}
