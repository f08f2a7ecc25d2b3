package io.baton.recipes.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.RecordAccess;
import io.baton.recipes.internal.RecordChange.Step;
import io.baton.testkit.sim.VirtualLoop;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A change of a record while sessions end one after the other. */
@Timeout(60)
class RecordChangeTest {

    private static final RecordKey KEY = new RecordKey("counters", "visits");

    private final VirtualLoop loop = new VirtualLoop();
    private SessionState state = SessionState.CONNECTED;

    private CompletableFuture<String> begin() {
        RecordAccess records = Stub.of(
                RecordAccess.class,
                Map.of("read", given -> CompletableFuture.failedFuture(new SessionLostException("it has ended"))));
        RecipeContext context = Stub.of(
                RecipeContext.class,
                Map.of(
                        "loop", given -> new ClientLoop(loop),
                        "records", given -> records,
                        "requestTimeout", given -> Duration.ofSeconds(10),
                        "state", given -> state,
                        "beforeClosing", given -> (Subscription) () -> {}));
        return RecordChange.begin(context, KEY, now -> new Step.Keep<>("kept"));
    }

    /** Callers repeat what was not applied, and a session of many is not their business. */
    @Test
    void begin_sessionsEndAllTheTime_isNotAppliedOnceItsTimeIsOver() {
        CompletableFuture<String> change = begin();
        loop.pass(Duration.ofSeconds(9));
        assertThat(change).isNotDone();

        loop.pass(Duration.ofSeconds(2));

        assertThatThrownBy(() -> Futures.interruptibly(change))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("it has ended");
    }

    @Test
    void begin_coordinatorClosed_saysSo() {
        state = SessionState.CLOSED;

        assertThatThrownBy(() -> Futures.interruptibly(begin())).isInstanceOf(SessionLostException.class);
    }
}
