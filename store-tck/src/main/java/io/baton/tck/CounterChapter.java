package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Records;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.recipes.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A number that processes share. */
abstract class CounterChapter extends Chapter {

    private static final String NAME = "tck";

    @Test
    void add_byTwoCoordinators_countsBoth() throws InterruptedException {
        Counter one = Counter.named(coordinator(), NAME);
        Counter other = Counter.named(coordinator(), NAME);
        assertThat(one.get()).isZero();

        assertThat(one.add(5)).isEqualTo(5);
        assertThat(other.add(-7)).isEqualTo(-2);

        assertThat(one.get()).isEqualTo(-2);
        assertThat(outcome(other.getAsync())).isEqualTo(-2);
    }

    @Test
    void add_manyAtOnceByThreeCoordinators_losesNone() throws InterruptedException {
        List<CompletableFuture<Long>> sums = new ArrayList<>();
        List<Counter> counters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            counters.add(Counter.named(coordinator(), NAME));
        }
        for (int i = 0; i < 150; i++) {
            sums.add(counters.get(i % 3).addAsync(1));
        }

        List<Long> all = new ArrayList<>();
        for (CompletableFuture<Long> sum : sums) {
            all.add(outcome(sum));
        }
        assertThat(all).doesNotHaveDuplicates().allMatch(sum -> sum >= 1 && sum <= 150);
        assertThat(counters.get(0).get()).isEqualTo(150);
    }

    @Test
    void addOnce_operationRepeatedHereAndElsewhere_countsOnce() throws InterruptedException {
        Counter one = Counter.named(coordinator(), NAME);
        Counter other = Counter.named(coordinator(), NAME);

        CompletableFuture<Boolean> first = one.addOnceAsync(1, "order 7");
        CompletableFuture<Boolean> again = one.addOnceAsync(1, "order 7");
        assertThat(outcome(first)).isTrue();
        assertThat(outcome(again)).isFalse();
        assertThat(other.addOnce(1, "order 7")).isFalse();
        assertThat(other.addOnce(1, "order 8")).isTrue();

        assertThat(one.get()).isEqualTo(2);
    }

    @Test
    void addOnce_moreOperationsThanAreRemembered_forgetsTheFirst() throws InterruptedException {
        Counter counter = Counter.named(coordinator(), NAME);
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (int i = 0; i <= Counter.REMEMBERED; i++) {
            all.add(counter.addOnceAsync(1, "order " + i));
        }
        for (CompletableFuture<Boolean> each : all) {
            assertThat(outcome(each)).isTrue();
        }

        assertThat(counter.addOnce(1, "order 1")).isFalse();
        assertThat(counter.addOnce(1, "order 0")).isTrue();
    }

    /** Different ones could not be told apart. */
    @Test
    void addOnce_idIsEmptyOrNotWellFormed_isRefused() throws InterruptedException {
        Counter counter = Counter.named(coordinator(), NAME);
        for (String id : List.of("", "a\ud800", "a\udc00b")) {
            assertThatThrownBy(() -> counter.addOnce(1, id))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the id of an operation");
        }
        assertThat(counter.addOnce(1, "a?")).isTrue();
        assertThat(counter.addOnce(1, "a\ud83d\ude00")).isTrue();

        assertThat(counter.get()).isEqualTo(2);
    }

    @Test
    void compareAndSet_anotherNumber_changesNothing() throws InterruptedException {
        Counter counter = Counter.named(coordinator(), NAME);

        assertThat(counter.compareAndSet(0, 10)).isTrue();
        assertThat(counter.compareAndSet(0, 20)).isFalse();
        assertThat(outcome(counter.compareAndSetAsync(10, 10))).isTrue();

        assertThat(counter.get()).isEqualTo(10);
    }

    @Test
    void add_outOfRange_isRefusedAndOthersCount() throws InterruptedException {
        Counter counter = Counter.named(coordinator(), NAME);
        counter.add(Long.MAX_VALUE - 1);

        CompletableFuture<Long> tooMuch = counter.addAsync(2);
        CompletableFuture<Long> enough = counter.addAsync(1);
        assertThatThrownBy(() -> outcome(tooMuch))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("out of range");
        assertThat(outcome(enough)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void add_withoutContact_countsOnceItIsBack() throws Exception {
        Coordinator baton = coordinator();
        Counter counter = Counter.named(baton, NAME);
        counter.add(1);

        store().breakContact();
        CompletableFuture<Long> waiting = counter.addAsync(1);
        soon().until(() -> baton.state() != SessionState.CONNECTED);
        store().restoreContact();

        assertThat(outcome(waiting)).isEqualTo(2);
        assertThat(counter.get()).isEqualTo(2);
    }

    @Test
    void add_sessionExpired_goesOn() throws Exception {
        Coordinator baton = coordinator();
        Counter counter = Counter.named(baton, NAME);
        counter.add(1);
        Hold hold = baton.lock(NAME).acquire();
        TckClient looking = client();
        String session =
                looking.details(looking.peers(LINE).get(0)).orElseThrow().session();

        store().expire(session);
        assertThat(counter.add(1)).isEqualTo(2);
        soon().until(() -> hold.state() == HoldState.LOST);

        assertThat(counter.add(1)).isEqualTo(3);
    }

    @Test
    void add_coordinatorClosed_saysSo() throws InterruptedException {
        Coordinator baton = coordinator();
        Counter counter = Counter.named(baton, NAME);
        baton.close();

        assertThatThrownBy(() -> counter.add(1))
                .isInstanceOf(SessionLostException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void add_recordWithOtherText_isRefusedAndKept() throws InterruptedException {
        Coordinator baton = coordinator();
        Records records = baton.records(Counter.TREE);
        records.put(NAME, "17 visits");

        assertThatThrownBy(() -> Counter.named(baton, NAME).add(1))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("value=N");
        assertThat(records.get(NAME).orElseThrow().text()).isEqualTo("17 visits");
    }
}
