package io.baton.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.LockLostException;
import io.baton.StaleTokenException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class FencedResourceTest {

    private final FencedResource<List<String>> book = FencedResource.of(new ArrayList<>());

    @Test
    void call_afterALaterClaim_isRefusedAndChangesNothing() {
        book.call(5, 0, lines -> lines.add("five"));
        book.claim(7, 0);

        assertThatThrownBy(() -> book.call(5, 0, lines -> lines.add("five again")))
                .isInstanceOf(LockLostException.class)
                .isInstanceOfSatisfying(StaleTokenException.class, stale -> {
                    assertThat(stale.token()).isEqualTo(5);
                    assertThat(stale.latestToken()).isEqualTo(7);
                })
                .hasMessageContaining("token 5")
                .hasMessageContaining("token 7");
        assertThatThrownBy(() -> book.claim(6, 3)).isInstanceOf(LockLostException.class);
        assertThat(book.<List<String>>call(7, 0, List::copyOf)).containsExactly("five");
    }

    @Test
    void call_ofAnEarlierTurn_isRefused() {
        book.claim(5, 1);
        book.claim(5, 2);

        assertThatThrownBy(() -> book.call(5, 1, lines -> lines.add("late")))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("token 5, turn 1");
        assertThat(book.<Boolean>call(6, 0, lines -> lines.add("next"))).isTrue();
    }

    @Test
    void call_byHolds_followsTheirOrder() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect("mem:fenced-resource")) {
            Hold former = baton.lock("book").acquire();
            book.claim(former);
            former.close();
            try (Hold latter = baton.lock("book").acquire()) {
                assertThat(book.<Boolean>call(latter, lines -> lines.add("latter")))
                        .isTrue();
            }

            assertThatThrownBy(() -> book.call(former, lines -> lines.add("former")))
                    .isInstanceOf(LockLostException.class);
        }
    }

    @Test
    void claim_whileAFormerHolderUsesIt_returnsAfterThat() throws Exception {
        var begun = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        var using = CompletableFuture.runAsync(() -> book.call(1, 0, lines -> {
            begun.countDown();
            await(end);
            return lines.add("one");
        }));
        begun.await();
        var claimed = CompletableFuture.supplyAsync(() -> {
            book.claim(2, 0);
            return book.<List<String>>call(2, 0, List::copyOf);
        });

        Awaitility.await().during(Duration.ofMillis(100)).until(() -> !claimed.isDone());
        end.countDown();
        using.get();

        assertThat(claimed.get()).containsExactly("one");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
