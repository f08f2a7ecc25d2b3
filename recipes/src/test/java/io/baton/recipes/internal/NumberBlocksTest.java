package io.baton.recipes.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
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

/** More calls of a sequence than a store that does not answer can take. */
@Timeout(60)
class NumberBlocksTest {

    private static final RecordKey KEY = new RecordKey("sequences", "order");

    private final VirtualLoop loop = new VirtualLoop();
    private final CompletableFuture<Optional<Item>> answer = new CompletableFuture<>();
    private final RecordAccess records = Stub.of(
            RecordAccess.class,
            Map.of(
                    "read",
                    given -> answer,
                    "writeAndTell",
                    given -> CompletableFuture.completedFuture(Optional.of(List.of()))));
    private final RecipeContext context = Stub.of(
            RecipeContext.class,
            Map.of(
                    "loop", given -> new ClientLoop(loop),
                    "records", given -> records,
                    "requestTimeout", given -> Duration.ofSeconds(10),
                    "state", given -> SessionState.CONNECTED));
    private final NumberBlocks blocks = new NumberBlocks(context, KEY, 20_000);

    private List<CompletableFuture<Long>> next(int calls) {
        List<CompletableFuture<Long>> all =
                IntStream.range(0, calls).mapToObj(each -> blocks.next()).toList();
        loop.pass(Duration.ofMillis(1));
        return all;
    }

    @Test
    void next_tooManyWait_isRefusedAtOnceAndTheOthersAreServed() {
        List<CompletableFuture<Long>> waiting = next(10_000);

        CompletableFuture<Long> refused = next(1).get(0);

        assertThat(refused).isDone();
        assertThatThrownBy(() -> Futures.interruptibly(refused))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("10000 others wait");
        answer.complete(Optional.empty());
        loop.pass(Duration.ofMillis(1));
        assertThat(waiting).allSatisfy(each -> assertThat(each).isCompleted());
        assertThat(next(1).get(0)).isCompletedWithValue(10_001L);
    }
}
