package io.baton.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoundedCallsTest {

    private final List<CompletableFuture<Integer>> asked = new ArrayList<>();

    private CompletableFuture<List<Integer>> ask(int many) {
        List<Integer> all = IntStream.range(0, many).boxed().toList();
        return BoundedCalls.all(all, 3, each -> {
            asked.add(new CompletableFuture<>());
            return asked.get(asked.size() - 1);
        });
    }

    @Test
    void all_many_onlySoManyAtOnceAndTheAnswersInOrder() {
        CompletableFuture<List<Integer>> all = ask(5);
        assertThat(asked).hasSize(3);

        asked.get(2).complete(30);
        asked.get(0).complete(10);
        assertThat(asked).hasSize(5);
        asked.get(4).complete(50);
        asked.get(1).complete(20);
        assertThat(all).isNotDone();
        asked.get(3).complete(40);

        assertThat(all).isCompletedWithValue(List.of(10, 20, 30, 40, 50));
    }

    @Test
    void all_oneFails_asksNoMore() {
        CompletableFuture<List<Integer>> all = ask(5);

        asked.get(1).completeExceptionally(new IllegalStateException("no"));
        asked.get(0).complete(10);

        assertThat(all).isCompletedExceptionally();
        assertThat(asked).hasSize(3);
    }

    @Test
    void all_answersAreThereAtOnce_isAsDeepAsOne() {
        List<Integer> all = IntStream.range(0, 100_000).boxed().toList();

        assertThat(BoundedCalls.all(all, 3, CompletableFuture::completedFuture)).isCompletedWithValue(all);
    }

    @Test
    void all_none_isDone() {
        assertThat(ask(0)).isCompletedWithValue(List.of());
    }
}
