package io.baton.tck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Subscription;
import io.baton.recipes.Asking;
import io.baton.recipes.Barrier;
import io.baton.recipes.BarrierRound;
import io.baton.recipes.Counter;
import io.baton.recipes.DoubleBarrier;
import io.baton.recipes.DoubleBarrierRound;
import io.baton.recipes.Group;
import io.baton.recipes.GroupMembership;
import io.baton.recipes.Latch;
import io.baton.recipes.LatchState;
import io.baton.recipes.Seat;
import io.baton.recipes.Seats;
import io.baton.recipes.Sequence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Contact is cut at each message of a client that uses a recipe beside the locks. */
@SuppressWarnings("try") // a server serves while the block lasts
abstract class RecipeFaultChapter extends CutChapter {

    /** As soon as the change is visible, another client adds as well. */
    @Test
    void add_cutAtEachMessage_isCountedOnce() throws Exception {
        atEachMessage(Act.ADD, stage -> {
            Counter steady = Counter.named(stage.steady(), stage.name());
            steady.add(1);
            Counter counter = Counter.named(stage.troubled(), stage.name());

            stage.arm();
            CompletableFuture<Long> adding = counter.addAsync(10);
            soon().until(() -> adding.isDone() || steady.get() == 11);
            steady.add(100);
            assertThat(outcome(adding)).isIn(11L, 111L);
            stage.disarm();

            assertThat(steady.get()).isEqualTo(111);
        });
    }

    @Test
    void next_cutAtEachMessage_neverRepeats() throws Exception {
        atEachMessage(Act.NUMBER, stage -> {
            Sequence steady = Sequence.named(stage.steady(), stage.name(), 1);
            Sequence sequence = Sequence.named(stage.troubled(), stage.name(), 1);
            long before = steady.next();

            stage.arm();
            long number = outcome(sequence.nextAsync());
            stage.disarm();

            assertThat(number).isGreaterThan(before);
            assertThat(steady.next()).isGreaterThan(number);
        });
    }

    @Test
    void open_cutAtEachMessage_saysThatItDid() throws Exception {
        atEachMessage(Act.OPEN_LATCH, stage -> {
            Latch steady = Latch.named(stage.steady(), stage.name());
            Latch latch = Latch.named(stage.troubled(), stage.name());

            stage.arm();
            assertThat(outcome(latch.openAsync(2))).isTrue();
            stage.disarm();

            assertThat(steady.open(2)).isFalse();
        });
    }

    @Test
    void countDown_cutAtEachMessage_saysThatItCounted() throws Exception {
        atEachMessage(Act.COUNT_DOWN, stage -> {
            Latch steady = Latch.named(stage.steady(), stage.name());
            steady.open(2);
            Latch latch = Latch.named(stage.troubled(), stage.name());

            stage.arm();
            assertThat(outcome(latch.countDownAsync("a"))).isTrue();
            stage.disarm();

            assertThat(steady.countDown("a")).isFalse();
            assertThat(steady.state()).isEqualTo(new LatchState(1, 2, List.of("a")));
        });
    }

    @Test
    void await_cutAtEachMessage_isLetGo() throws Exception {
        atEachMessage(Act.AWAIT_LATCH, stage -> {
            Latch steady = Latch.named(stage.steady(), stage.name());
            steady.open(1);
            Latch latch = Latch.named(stage.troubled(), stage.name());

            stage.arm();
            CompletableFuture<Void> waiting = latch.awaitAsync();
            assertThat(outcome(latch.stateAsync()).isReleased()).isFalse();
            assertThat(waiting).isNotDone();
            steady.countDown("a");
            outcome(waiting);
        });
    }

    @Test
    void reset_cutAtEachMessage_beginsOneRound() throws Exception {
        atEachMessage(Act.RESET_LATCH, stage -> {
            Latch steady = Latch.named(stage.steady(), stage.name());
            steady.open(1);
            steady.countDown("a");
            Latch latch = Latch.named(stage.troubled(), stage.name());

            stage.arm();
            assertThat(outcome(latch.resetAsync())).isEqualTo(2);
            stage.disarm();

            assertThat(steady.state()).isEqualTo(new LatchState(2, 0, List.of()));
        });
    }

    @Test
    void take_cutAtEachMessage_hasASeatOfItsOwn() throws Exception {
        atEachMessage(Act.TAKE_SEAT, stage -> {
            Seats steady = Seats.named(stage.steady(), stage.name() + "-seat", 2);
            Seat other = steady.take();
            Seats seats = Seats.named(stage.troubled(), stage.name() + "-seat", 2);

            stage.arm();
            Seat seat = outcome(seats.takeAsync());
            assertThat(seat.number()).isNotEqualTo(other.number());
            stage.disarm();

            assertThat(steady.tryTake()).isEmpty();
            seat.close();
            other.close();
            seatsAreFree(stage.steady(), stage.name() + "-seat", 2);
        });
    }

    @Test
    void release_ofASeat_cutAtEachMessage_theNextOneHasIt() throws Exception {
        atEachMessage(Act.GIVE_SEAT_BACK, stage -> {
            Seats steady = Seats.named(stage.steady(), stage.name() + "-seat", 1);
            Seat seat = Seats.named(stage.troubled(), stage.name() + "-seat", 1).take();
            CompletableFuture<Seat> waiting = steady.takeAsync();
            soon().until(() -> stage.steady()
                            .semaphore(stage.name() + "-seat", 1)
                            .view()
                            .waiting()
                            .size()
                    == 1);

            stage.arm();
            outcome(seat.releaseAsync());
            Seat next = outcome(waiting);
            stage.disarm();

            assertThat(next.token()).isGreaterThan(seat.token());
            next.close();
            seatsAreFree(stage.steady(), stage.name() + "-seat", 1);
        });
    }

    private static void seatsAreFree(Coordinator baton, String name, int number) {
        soon().until(() -> baton.semaphore(name, number).view().out() == 0);
        for (int i = 0; i < number; i++) {
            String lock = name + "/" + i;
            soon().until(() -> baton.lock(lock).queue().isEmpty());
        }
    }

    @Test
    void ask_cutAtEachMessage_isAnsweredOnce() throws Exception {
        atEachMessage(Act.ASK, stage -> {
            Asking steady = Asking.named(stage.steady(), stage.name());
            List<String> served = new CopyOnWriteArrayList<>();
            try (Subscription serving = steady.serve(question -> {
                served.add(question.id());
                return ("answer " + served.size()).getBytes(UTF_8);
            })) {
                Asking asking = Asking.named(stage.troubled(), stage.name());

                stage.arm();
                assertThat(outcome(asking.askAsync("a", new byte[] {1}, PATIENCE)))
                        .isEqualTo("answer 1".getBytes(UTF_8));
                stage.disarm();

                assertThat(steady.ask("a", new byte[] {1}, PATIENCE)).isEqualTo("answer 1".getBytes(UTF_8));
            }
            assertThat(served).containsExactly("a");
            assertThat(stage.steady().records(Asking.TEXTS).list("")).hasSize(1);
        });
    }

    @Test
    void answer_cutAtEachMessage_isGivenOnceByOneCall() throws Exception {
        atEachMessage(Act.ANSWER, stage -> {
            Asking steady = Asking.named(stage.steady(), stage.name());
            Asking asking = Asking.named(stage.troubled(), stage.name());
            List<String> served = new CopyOnWriteArrayList<>();
            try (Subscription serving = asking.serve(question -> {
                served.add(question.id());
                return ("answer " + served.size()).getBytes(UTF_8);
            })) {
                assertThat(steady.ask("before", new byte[] {0}, PATIENCE)).isEqualTo("answer 1".getBytes(UTF_8));

                stage.arm();
                CompletableFuture<byte[]> waiting = steady.askAsync("a", new byte[] {1}, PATIENCE);
                assertThat(outcome(waiting)).isEqualTo("answer 2".getBytes(UTF_8));
                stage.disarm();
            }
            assertThat(served).containsExactly("before", "a");
            soon().until(() ->
                    stage.steady().lock("asking/" + stage.name()).queue().isEmpty());
        });
    }

    @Test
    void join_ofAGroup_cutAtEachMessage_isInAndLeavesNothing() throws Exception {
        atEachMessage(Act.JOIN_GROUP, stage -> {
            Group steady = Group.named(stage.steady(), stage.name());
            Group group = Group.named(stage.troubled(), stage.name());

            stage.arm();
            GroupMembership member = group.join("a");
            assertThat(member.awaitJoined(PATIENCE)).isTrue();
            assertThat(steady.members().ids()).containsExactly(member.id());
            member.close();
            soon().until(() -> steady.members().ids().isEmpty());
        });
    }

    @Test
    void await_atABarrier_cutAtEachMessage_bothGetTheSameVerdict() throws Exception {
        atEachMessage(Act.AWAIT_BARRIER, stage -> {
            CompletableFuture<BarrierRound> other =
                    Barrier.named(stage.steady(), stage.name(), 2).awaitAsync();
            Barrier barrier = Barrier.named(stage.troubled(), stage.name(), 2);

            stage.arm();
            BarrierRound own = outcome(barrier.awaitAsync());

            assertThat(own.passed()).isTrue();
            assertThat(own.parties()).contains(own.me(), outcome(other).me()).hasSize(2);
            assertThat(outcome(other).passed()).isTrue();
            assertThat(outcome(other).parties()).isEqualTo(own.parties());
        });
    }

    /** One party waits for too short a time, which breaks the round if it stood already. */
    @Test
    void await_atABarrierForTooShort_cutAtEachMessage_bothGetTheSameVerdict() throws Exception {
        atEachMessage(Act.LEAVE_BARRIER, stage -> {
            CompletableFuture<BarrierRound> other =
                    Barrier.named(stage.steady(), stage.name(), 3).awaitAsync();
            Barrier barrier = Barrier.named(stage.troubled(), stage.name(), 3);

            stage.arm();
            Optional<BarrierRound> gone = awaitShortly(barrier);

            if (gone.filter(round -> round.parties().size() > 1).isPresent()) {
                assertThat(gone.get().passed()).isFalse();
                assertThat(outcome(other).passed()).isFalse();
                assertThat(outcome(other).parties()).isEqualTo(gone.get().parties());
            } else {
                other.cancel(true);
            }
        });
    }

    @Test
    void enter_aDoubleBarrier_cutAtEachMessage_bothEnterTheSameRound() throws Exception {
        atEachMessage(Act.ENTER_DOUBLE, stage -> {
            CompletableFuture<DoubleBarrierRound> other =
                    DoubleBarrier.named(stage.steady(), stage.name(), 2).enterAsync();
            DoubleBarrier barrier = DoubleBarrier.named(stage.troubled(), stage.name(), 2);

            stage.arm();
            DoubleBarrierRound own = outcome(barrier.enterAsync());

            bothIn(own.entry(), outcome(other).entry(), true);
        });
    }

    @Test
    void leave_aDoubleBarrier_cutAtEachMessage_bothGetTheSameVerdict() throws Exception {
        atEachMessage(Act.LEAVE_DOUBLE, stage -> {
            CompletableFuture<DoubleBarrierRound> other =
                    DoubleBarrier.named(stage.steady(), stage.name(), 2).enterAsync();
            DoubleBarrierRound own = outcome(
                    DoubleBarrier.named(stage.troubled(), stage.name(), 2).enterAsync());
            CompletableFuture<BarrierRound> leaves = outcome(other).leaveAsync();

            stage.arm();
            BarrierRound end = outcome(own.leaveAsync());

            bothIn(end, outcome(leaves), true);
        });
    }

    /** It goes by itself, so the end is broken, however late the others hear of it. */
    @Test
    void close_insideADoubleBarrier_cutAtEachMessage_breaksTheEnd() throws Exception {
        atEachMessage(Act.CLOSE_DOUBLE, stage -> {
            CompletableFuture<DoubleBarrierRound> other =
                    DoubleBarrier.named(stage.steady(), stage.name(), 2).enterAsync();
            DoubleBarrierRound own = outcome(
                    DoubleBarrier.named(stage.troubled(), stage.name(), 2).enterAsync());
            CompletableFuture<BarrierRound> leaves = outcome(other).leaveAsync();

            stage.arm();
            own.close();

            bothIn(outcome(own.leaveAsync()), outcome(leaves), false);
        });
    }

    private static void bothIn(BarrierRound one, BarrierRound other, boolean passed) {
        assertThat(one.passed()).as(one.why()).isEqualTo(passed);
        assertThat(other.passed()).as(other.why()).isEqualTo(passed);
        assertThat(one.parties()).containsExactlyInAnyOrder(one.me(), other.me());
        assertThat(other.parties()).isEqualTo(one.parties());
        assertThat(other.number()).isEqualTo(one.number());
    }

    /** Empty if the verdict could not be found out. */
    private static Optional<BarrierRound> awaitShortly(Barrier barrier) throws InterruptedException {
        try {
            return Optional.of(barrier.await(Duration.ofMillis(20)));
        } catch (CoordinationException unknown) {
            return Optional.empty();
        }
    }
}
