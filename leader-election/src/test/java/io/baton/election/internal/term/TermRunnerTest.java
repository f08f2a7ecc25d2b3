package io.baton.election.internal.term;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.ReleaseRequest;
import io.baton.Subscription;
import io.baton.election.Candidate;
import io.baton.election.Rig;
import io.baton.election.StopReason;
import io.baton.election.WhenSuspended;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.Callbacks;
import io.baton.spi.Guarantees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a term does while nothing is told of its hold. */
class TermRunnerTest {

    private final Rig rig = new Rig("tenure");
    private final Running hold = new Running(Duration.ofSeconds(6));
    private final List<String> told = new ArrayList<>();

    /** A network that has gone silent: no session is suspended, and yet the time runs out. */
    @ParameterizedTest
    @EnumSource(WhenSuspended.class)
    void silent_untilLittleIsLeft_isEndangeredWhileThereIsTimeToStop(WhenSuspended whenSuspended) {
        start(Duration.ofSeconds(2), whenSuspended);

        rig.loop.pass(Duration.ofMillis(3_999));
        assertThat(told).isEmpty();
        rig.loop.pass(Duration.ofMillis(2));

        assertThat(told).containsExactly("endangered");
        assertThat(hold.remaining()).isPositive();
    }

    @Test
    void silent_moreTimeToStopThanThereEverWas_isEndangeredAtHalfOfIt() {
        start(Duration.ofSeconds(60), WhenSuspended.STOP);

        rig.loop.pass(Duration.ofMillis(2_999));
        assertThat(told).isEmpty();
        rig.loop.pass(Duration.ofMillis(2));

        assertThat(told).containsExactly("endangered");
    }

    /** A session that waits proves itself less often, so a term may begin with little. */
    @Test
    void granted_withLittleLeftAndProvenThen_keepsAllOfTheTimeToStop() {
        rig.loop.pass(Duration.ofSeconds(3));
        TermRunner tenure = start(Duration.ofSeconds(2), WhenSuspended.RIDE_OUT);
        hold.prove();
        tenure.changed(HoldState.HELD, true);

        hold.state = HoldState.JEOPARDY;
        tenure.changed(HoldState.JEOPARDY, false);
        rig.loop.pass(Duration.ofMillis(3_999));
        assertThat(told).isEmpty();
        rig.loop.pass(Duration.ofMillis(2));

        assertThat(told).containsExactly("endangered");
    }

    @Test
    void proven_againAndAgain_isNotEndangered() {
        start(Duration.ofSeconds(2), WhenSuspended.STOP);

        for (int i = 0; i < 20; i++) {
            rig.loop.pass(Duration.ofSeconds(3));
            hold.prove();
        }

        assertThat(told).isEmpty();
    }

    /** Whoever looks first, the term or its work: the same is left. */
    @ParameterizedTest
    @EnumSource(WhenSuspended.class)
    void doubt_inContact_goesOnWhileHalfOfTheTimeToStopIsLeft(WhenSuspended whenSuspended) {
        TermRunner tenure = start(Duration.ofSeconds(2), whenSuspended);

        hold.state = HoldState.JEOPARDY;
        rig.loop.pass(Duration.ofMillis(4_500));
        tenure.changed(HoldState.JEOPARDY, true);
        rig.loop.pass(Duration.ofMillis(499));
        assertThat(told).isEmpty();
        rig.loop.pass(Duration.ofMillis(2));

        assertThat(told).containsExactly("endangered");
    }

    /** Told late, and so with less time: who may lead next is not to find this one at work. */
    @Test
    void doubt_neverSettled_isLateWhenNothingIsLeft() {
        TermRunner tenure = start(Duration.ofSeconds(2), WhenSuspended.STOP);
        hold.state = HoldState.JEOPARDY;
        tenure.changed(HoldState.JEOPARDY, true);
        rig.loop.pass(Duration.ofSeconds(5));
        assertThat(told).containsExactly("endangered");

        tenure.stop(StopReason.JEOPARDY);
        rig.loop.pass(Duration.ofMillis(999));
        assertThat(told).containsExactly("endangered");
        rig.loop.pass(Duration.ofMillis(2));

        assertThat(told).containsExactly("endangered", "late");
        assertThat(hold.remaining()).isZero();
    }

    @Test
    void doubt_contactBreaksBeforeItIsSettled_isEndangeredAtOnce() {
        TermRunner tenure = start(Duration.ofSeconds(2), WhenSuspended.STOP);

        hold.state = HoldState.JEOPARDY;
        tenure.changed(HoldState.JEOPARDY, true);
        assertThat(told).isEmpty();
        tenure.changed(HoldState.JEOPARDY, false);

        assertThat(told).containsExactly("endangered");
    }

    /** What is ridden out without contact keeps all of the time to stop. */
    @Test
    void jeopardy_withoutContact_goesOnWhileTheTimeToStopIsLeft() {
        TermRunner tenure = start(Duration.ofSeconds(2), WhenSuspended.RIDE_OUT);

        hold.state = HoldState.JEOPARDY;
        tenure.changed(HoldState.JEOPARDY, false);
        rig.loop.pass(Duration.ofMillis(3_999));
        assertThat(told).isEmpty();
        rig.loop.pass(Duration.ofMillis(2));

        assertThat(told).containsExactly("endangered");
    }

    /** Nobody else will stop work that does not stop. */
    @Test
    void lastResort_noThreadToBeHad_isTakenOnceThereIsOne() {
        TermRunner tenure = start(Duration.ofSeconds(2), WhenSuspended.STOP);
        Idle stubborn = new Idle();
        stubborn.threads = 0;

        tenure.stop(StopReason.LOST);
        tenure.lastResort(stubborn);
        rig.loop.pass(Duration.ofSeconds(5));
        assertThat(told).doesNotContain("stuck");
        stubborn.threads = 1;
        rig.loop.pass(Duration.ofSeconds(1));

        assertThat(told).containsOnlyOnce("stuck");
    }

    /** Told to stop and deposed in the same breath: what demotes a node begins only then. */
    @Test
    void lastResort_nothingRunsYet_isTakenOnceThatHasHadItsTime() {
        TermRunner tenure = start(Duration.ofSeconds(2), WhenSuspended.STOP);
        Idle stubborn = new Idle();
        stubborn.running = false;

        tenure.stop(StopReason.RESIGNED);
        tenure.lastResort(stubborn);
        stubborn.running = true;
        rig.loop.pass(Duration.ofMillis(1999));
        assertThat(told).isEmpty();
        rig.loop.pass(Duration.ofMillis(1));
        assertThat(told).containsExactly("late");
        tenure.lastResort(stubborn);

        assertThat(told).containsExactly("late", "stuck");
    }

    /** Whether what it calls may wait for the term's end depends on that. */
    @Test
    void work_begun_knowsThatItIsTheWorkBeforeAnybodyHasSaidSo() throws Exception {
        ElectionLine line = ElectionLine.named(rig.client("alice"), "boss");
        Term term = new Term(hold, line.callbacks(), new Nothing());
        var seen = new CompletableFuture<Boolean>();

        var unused = new ThreadWork(leadership -> seen.complete(term.isOnWorkThread())).begin(term, thrown -> {});

        assertThat(seen.get(30, TimeUnit.SECONDS)).isTrue();
    }

    /** A long term has many of them, as each request of a program may subscribe. */
    @Test
    void onStop_closed_isNotKept() {
        Counting callbacks = new Counting();
        Term term = new Term(hold, callbacks, new Nothing());
        for (int i = 0; i < 1_000; i++) {
            term.onStop(why -> told.add("closed one is told")).close();
        }
        term.onStop(why -> told.add("told " + why));

        term.stop(StopReason.RESIGNED);

        assertThat(told).containsExactly("told RESIGNED");
        assertThat(callbacks.run).hasValue(1);
        term.onStop(why -> told.add("late " + why));
        assertThat(told).containsExactly("told RESIGNED", "late RESIGNED");
    }

    @Test
    void onStop_whileTheTermIsStopped_isToldOnce() throws Exception {
        for (int i = 0; i < 2_000; i++) {
            Term term = new Term(hold, new Counting(), new Nothing());
            AtomicInteger calls = new AtomicInteger();
            CyclicBarrier both = new CyclicBarrier(2);
            CompletableFuture<Void> added = CompletableFuture.runAsync(() -> {
                meet(both);
                term.onStop(why -> calls.incrementAndGet());
            });

            meet(both);
            term.stop(StopReason.LOST);

            added.get(30, TimeUnit.SECONDS);
            assertThat(calls).hasValue(1);
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }

    /** Runs tasks at once, and counts them. */
    private static final class Counting implements Callbacks {

        private final AtomicInteger run = new AtomicInteger();

        @Override
        public boolean run(Runnable task) {
            run.incrementAndGet();
            task.run();
            return true;
        }

        @Override
        public boolean runUrgently(Runnable task) {
            return run(task);
        }

        @Override
        public void runReliably(Runnable task) {
            run(task);
        }

        @Override
        public boolean abandoned() {
            return false;
        }
    }

    private TermRunner start(Duration stopTimeout, WhenSuspended whenSuspended) {
        ElectionLine line = ElectionLine.named(rig.client("alice"), "boss");
        rig.loop.run();
        Candidate candidate = Candidate.builder("a")
                .stopTimeout(stopTimeout)
                .whenSuspended(whenSuspended)
                .lastResort(stuck -> told.add("stuck"))
                .build();
        Term term = new Term(hold, line.callbacks(), new Nothing());
        var report = new TermReport(line, candidate, term, Duration.ZERO, new TermReport.Log());
        TermRunner tenure = new TermRunner(term, candidate, line.loop(), report, new Told());
        tenure.start(new Idle());
        rig.loop.run();
        return tenure;
    }

    private final class Told implements TermRunner.Events {

        @Override
        public void endangered() {
            told.add("endangered");
        }

        @Override
        public void lost() {
            told.add("lost");
        }

        @Override
        public void late() {
            told.add("late");
        }

        @Override
        public void returned() {
            told.add("returned");
        }

        @Override
        public void outlived() {
            told.add("outlived");
        }
    }

    /** Work that goes on. */
    private static final class Idle implements LeaderWork {

        private int threads = 1;
        private boolean running = true;

        @Override
        public Work begin(Term term, Consumer<@Nullable Throwable> stopped) {
            return Optional::empty;
        }

        @Override
        public boolean runBeside(Runnable task) {
            if (threads == 0) {
                return false;
            }
            task.run();
            return true;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    private static final class Nothing implements Term.Wishes {

        @Override
        public CompletableFuture<Void> resign() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> handOverAsync(String candidateId, Duration timeout) {
            return CompletableFuture.completedFuture(null);
        }
    }

    /** Its time runs; it says nothing by itself. */
    private final class Running implements Hold {

        private final Duration full;
        private long deadline;
        private HoldState state = HoldState.HELD;

        Running(Duration full) {
            this.full = full;
            prove();
        }

        void prove() {
            deadline = rig.loop.nanoTime() + full.toNanos();
        }

        @Override
        public Subscription onReleaseRequested(Consumer<ReleaseRequest> listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String name() {
            return "boss";
        }

        @Override
        public long token() {
            return 1;
        }

        @Override
        public Guarantees guarantees() {
            throw new UnsupportedOperationException();
        }

        @Override
        public HoldState state() {
            return state;
        }

        @Override
        public Duration remaining() {
            return Duration.ofNanos(Math.max(0, deadline - rig.loop.nanoTime()));
        }

        @Override
        public void ensureValid(Duration atLeast) {}

        @Override
        public Subscription onLost(Runnable listener) {
            return () -> {};
        }

        @Override
        public Subscription onState(Consumer<HoldState> listener) {
            return () -> {};
        }

        @Override
        public void close() {}

        @Override
        public CompletableFuture<Void> releaseAsync() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
