package io.baton.recipes.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.RecordAccess;
import io.baton.testkit.sim.VirtualLoop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More changes of a counter than a store that does not answer can take. */
@Timeout(60)
class CounterWriterTest {

    private static final RecordKey KEY = new RecordKey("counters", "visits");
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final VirtualLoop loop = new VirtualLoop();
    private boolean answers;
    private int writes;
    private final RecordAccess records = Stub.of(
            RecordAccess.class, Map.of("read", given -> read(), "writeAndTell", given -> write((List<?>) given[1])));
    private final RecipeContext context = Stub.of(
            RecipeContext.class,
            Map.of(
                    "loop", given -> new ClientLoop(loop),
                    "records", given -> records,
                    "requestTimeout", given -> TIMEOUT,
                    "state", given -> SessionState.CONNECTED,
                    "beforeClosing", given -> (Subscription) () -> {}));
    private final CounterWriter writer = new CounterWriter(context, KEY, 10);

    private CompletableFuture<Optional<Item>> read() {
        return answers
                ? CompletableFuture.completedFuture(Optional.empty())
                : CompletableFuture.failedFuture(new StoreUnavailableException("no contact"));
    }

    private CompletableFuture<Optional<List<Item>>> write(List<?> ops) {
        assertThat(ops).hasOnlyElementsOfTypes(Op.Put.class);
        writes++;
        return CompletableFuture.completedFuture(Optional.of(List.of()));
    }

    private List<CompletableFuture<Long>> add(int changes) {
        List<CompletableFuture<Long>> all =
                IntStream.range(0, changes).mapToObj(each -> writer.add(1)).toList();
        loop.pass(Duration.ofMillis(1));
        return all;
    }

    @Test
    void add_manyWithoutContact_allFailInTimeAndNoneIsAppliedLater() {
        List<CompletableFuture<Long>> all = add(1_000);
        loop.pass(TIMEOUT.multipliedBy(2));

        assertThat(all)
                .allSatisfy(each -> assertThatThrownBy(() -> Futures.interruptibly(each))
                        .isInstanceOf(StoreUnavailableException.class));
        answers = true;
        loop.pass(TIMEOUT.multipliedBy(10));
        assertThat(writes).isZero();
    }

    @Test
    void add_tooManyWait_isRefusedAtOnce() {
        add(1 + 10_000);

        CompletableFuture<Long> refused = add(1).get(0);

        assertThatThrownBy(() -> Futures.interruptibly(refused))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("10000 others wait");
    }

    @Test
    void add_contactIsBackInTime_allAreApplied() {
        List<CompletableFuture<Long>> all = add(250);
        loop.pass(TIMEOUT.dividedBy(2));

        answers = true;
        loop.pass(TIMEOUT.dividedBy(2));

        assertThat(all).allSatisfy(each -> assertThat(each).isCompleted());
        assertThat(writes).isEqualTo(4);
    }
}
