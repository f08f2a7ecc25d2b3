package io.baton.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Guard;
import io.baton.HoldState;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SeatsTest {

    private static final RecordKey HINTS = new RecordKey(Seats.TREE, "id");

    /** Attempts at seats that were taken. */
    private final List<String> inVain = new CopyOnWriteArrayList<>();

    private Coordinator baton;

    @BeforeEach
    void connect(TestInfo test) throws InterruptedException {
        baton = Coordinator.connect(
                "mem:seats-" + test.getDisplayName(),
                CoordinatorOptions.builder()
                        .telemetry(new Telemetry() {
                            @Override
                            public void notGranted(NotGranted event) {
                                if (event.lock().startsWith("id/")) {
                                    inVain.add(event.lock());
                                }
                            }
                        })
                        .build());
    }

    @AfterEach
    void close() {
        baton.close();
    }

    private Seats seats(int number) {
        return Seats.named(baton, "id", number);
    }

    @Test
    void take_allOfThem_hasEachNumberOnceAndTriesNoneInVain() throws InterruptedException {
        Seats seats = seats(40);
        List<Seat> taken = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            taken.add(seats.take());
            hintsAre(taken);
        }

        assertThat(taken)
                .extracting(Seat::number)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 40).boxed().toList());
        assertThat(seats.tryTake()).isEmpty();
        assertThat(seats.take(Duration.ofMillis(50))).isEmpty();

        // One that waits gets the seat that is given back, at once.
        CompletableFuture<Seat> waiting = seats.takeAsync();
        Seat given = taken.remove(17);
        given.close();
        assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
        assertThat(waiting.join().number()).isEqualTo(given.number());
        assertThat(waiting.join().token()).isGreaterThan(given.token());
        assertThat(inVain).isEmpty();
    }

    @Test
    void take_hintsAreWrong_findsAFreeSeatAndSetsThemRight() throws InterruptedException {
        Seats seats = seats(5);
        List<Seat> taken = new ArrayList<>();
        for (int number : List.of(0, 1, 3)) {
            taken.add(seats.tryTake(number).orElseThrow());
        }
        hintsAre(taken);
        for (String wrong : List.of("taken=14", "taken=", "taken=1f", "taken=nonsense", "other", "taken=ffffff")) {
            baton.records(Seats.TREE).put("id", wrong);

            try (Seat found = seats.take()) {
                assertThat(found.number()).isIn(2, 4);
            }
            assertThat(seats.tryTake(1)).isEmpty();
        }
        // One that is said to be free, and is not, is said to be taken once it was tried.
        Seat fourth = seats.tryTake(2).orElseThrow();
        baton.records(Seats.TREE).put("id", "taken=");
        Seat last = seats.take();
        assertThat(last.number()).isEqualTo(4);
        await().untilAsserted(() -> assertThat(hints()).contains("taken=1"));
        assertThat(fourth.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void tryTake_aNumber_takesThatOneIfItIsFree() throws InterruptedException {
        Seats seats = seats(3);

        try (Seat seat = seats.tryTake(2).orElseThrow()) {
            assertThat(seat.number()).isEqualTo(2);
            assertThat(seat.state()).isEqualTo(HoldState.HELD);
            assertThat(seat.remaining()).isPositive();
            seat.ensureValid(Duration.ZERO);
            assertThat(seats.tryTake(2)).isEmpty();
            assertThat(baton.lock("id/2").tryAcquire()).isEmpty();
            assertThat(baton.transact(List.of(Guard.held(seat.hold())), List.of(Op.put(new RecordKey("t", "x"), "y"))))
                    .isTrue();
        }
        assertThat(baton.semaphore("id", 3).view().out()).isZero();
        seats.tryTake(2).orElseThrow().close();
    }

    @Test
    void close_seat_isReleasedForGood() throws InterruptedException {
        Seat seat = seats(1).take();
        List<String> lost = new CopyOnWriteArrayList<>();
        seat.onLost(() -> lost.add("lost"));

        seat.close();
        seat.close();

        assertThat(seat.state()).isEqualTo(HoldState.RELEASED);
        assertThat(seat.remaining()).isZero();
        assertThatThrownBy(() -> seat.ensureValid(Duration.ZERO)).isInstanceOf(CoordinationException.class);
        assertThat(seat.releaseAsync()).succeedsWithin(Duration.ofSeconds(30));
        assertThat(hints()).isEqualTo("taken=\n");
        assertThat(baton.lock("id/0").queue()).isEmpty();
        assertThat(lost).isEmpty();
    }

    @Test
    void take_anotherHasTheLockOfASeat_takesAnotherOne() throws InterruptedException {
        try (var held = baton.lock("id/0").acquire()) {
            Seat seat = seats(2).take();
            assertThat(seat.number()).isEqualTo(1);

            // There is a permit, and no seat.
            assertThat(seats(2).tryTake()).isEmpty();
            assertThat(seats(2).take(Duration.ofMillis(50))).isEmpty();
            CompletableFuture<Seat> waiting = seats(2).takeAsync();
            CompletableFuture<Seat> cancelled = seats(2).takeAsync();
            cancelled.cancel(true);
            await().until(() -> inVain.size() > 5);
            assertThat(waiting).isNotDone();
            assertThat(held.state()).isEqualTo(HoldState.HELD);
            held.close();

            assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
            assertThat(waiting.join().number()).isZero();
        }
    }

    @Test
    void take_interruptedWhileItLooks_holdsNothing() throws InterruptedException {
        try (var held = baton.lock("id/0").acquire()) {
            var thrown = new CompletableFuture<Throwable>();
            Thread looking = new Thread(() -> {
                try (Seat seat = seats(1).take()) {
                    thrown.completeExceptionally(new AssertionError(seat.toString()));
                } catch (Throwable expected) {
                    thrown.complete(expected);
                }
            });
            looking.start();
            await().until(() -> inVain.size() > 2);

            looking.interrupt();

            assertThat(thrown).succeedsWithin(Duration.ofSeconds(30)).isInstanceOf(InterruptedException.class);
            await().until(() -> baton.semaphore("id", 1).view().out() == 0);
            assertThat(held.state()).isEqualTo(HoldState.HELD);
        }
        seats(1).take().close();
    }

    @Test
    void named_nonsense_isRefused() throws InterruptedException {
        for (int number : List.of(0, -1, Seats.MAX_SEATS + 1)) {
            assertThatThrownBy(() -> seats(number))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 to 65536 seats, not " + number);
        }
        assertThatThrownBy(() -> Seats.named(baton, "", 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Seats.named(baton, "x".repeat(1_023), 2)).isInstanceOf(IllegalArgumentException.class);
        for (int none : List.of(-1, 3)) {
            assertThatThrownBy(() -> seats(3).tryTake(none))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("there is no seat " + none);
        }
        seats(3).take().close();
        assertThatThrownBy(() -> seats(4).take())
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("set up with 3 permits");
    }

    private String hints() throws InterruptedException {
        return baton.records(HINTS.tree()).get(HINTS.name()).orElseThrow().text();
    }

    /** Hints are written behind the taking. */
    private void hintsAre(List<Seat> taken) {
        await().until(() -> {
            var bits = new BitSet();
            taken.forEach(seat -> bits.set(seat.number()));
            return hints().equals("taken=" + HexFormat.of().formatHex(bits.toByteArray()) + "\n");
        });
    }
}
