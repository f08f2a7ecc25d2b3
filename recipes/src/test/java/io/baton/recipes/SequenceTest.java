package io.baton.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Item;
import io.baton.SessionLostException;
import io.baton.recipe.RecipeContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SequenceTest {

    private Coordinator baton;

    @BeforeEach
    void connect(TestInfo test) throws InterruptedException {
        baton = Coordinator.connect("mem:sequence-" + test.getDisplayName());
    }

    @AfterEach
    void close() {
        baton.close();
    }

    @Test
    void next_oneObject_risesByOneAcrossBlocks() throws InterruptedException {
        Sequence sequence = Sequence.named(baton, "invoice", 3);

        for (long expected = 1; expected <= 10; expected++) {
            assertThat(sequence.next()).isEqualTo(expected);
        }
        assertThat(record().text()).isEqualTo("next=13\n");
        assertThat(sequence.name()).isEqualTo("invoice");
    }

    @Test
    void next_twoObjects_takeBlocksOfTheirOwn() throws InterruptedException {
        Sequence one = Sequence.named(baton, "invoice", 10);
        Sequence two = Sequence.named(baton, "invoice", 5);

        assertThat(one.next()).isEqualTo(1);
        assertThat(two.next()).isEqualTo(11);
        assertThat(one.next()).isEqualTo(2);
        assertThat(Sequence.named(baton, "other", 5).next()).isEqualTo(1);
    }

    @Test
    void nextAsync_manyAtOnce_shareOneTakingOfABlock() throws InterruptedException {
        Sequence sequence = Sequence.named(baton, "invoice", 100);
        List<CompletableFuture<Long>> numbers = new ArrayList<>();
        var allAsked = new CountDownLatch(1);
        assertThat(RecipeContext.of(baton, "tests").loop().post(() -> await(allAsked)))
                .isTrue();
        for (int i = 0; i < 100; i++) {
            numbers.add(sequence.nextAsync());
        }
        allAsked.countDown();

        assertThat(numbers.stream().map(CompletableFuture::join))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 100).boxed().toList());
        Awaitility.await()
                .during(Duration.ofMillis(250))
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(record().text()).isEqualTo("next=101\n"));
    }

    @Test
    void nextAsync_moreThanABlockHas_takesBlocksUntilAllAreServed() {
        Sequence sequence = Sequence.named(baton, "invoice", 3);
        List<CompletableFuture<Long>> numbers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            numbers.add(sequence.nextAsync());
        }

        assertThat(numbers.stream().map(CompletableFuture::join))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 20).boxed().toList());
    }

    @Test
    void next_lastNumbers_areHandedOutAndThenRefused() throws InterruptedException {
        long last = Long.MAX_VALUE - 1;
        baton.records(Sequence.TREE).put("invoice", "next=" + (last - 1));
        Sequence sequence = Sequence.named(baton, "invoice", 1_000);

        assertThat(sequence.next()).isEqualTo(last - 1);
        assertThat(sequence.next()).isEqualTo(last);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(sequence::next)
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("no number left: 9223372036854775806 was the last one");
        }
    }

    @Test
    void next_recordOfAnotherProgram_isRefusedAndKept() throws InterruptedException {
        for (String text : List.of("hello", "next=", "next=0", "next=-5")) {
            baton.records(Sequence.TREE).put("invoice", text);

            assertThatThrownBy(() -> Sequence.named(baton, "invoice", 10).next())
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("should have the line 'next=N'");
            assertThat(record().text()).isEqualTo(text);
        }
    }

    @Test
    void next_coordinatorClosed_isRefused() throws InterruptedException {
        Sequence sequence = Sequence.named(baton, "invoice", 10);
        assertThat(sequence.next()).isEqualTo(1);

        baton.close();

        assertThatThrownBy(sequence::next).isInstanceOf(SessionLostException.class);
        assertThat(sequence.nextAsync()).failsWithin(Duration.ofSeconds(30));
    }

    @Test
    void named_nonsense_isRefused() {
        assertThatThrownBy(() -> Sequence.named(baton, "invoice", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one number, not 0");
        assertThatThrownBy(() -> Sequence.named(baton, "", 10)).isInstanceOf(IllegalArgumentException.class);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private Item record() throws InterruptedException {
        return baton.records(Sequence.TREE).get("invoice").orElseThrow();
    }
}
