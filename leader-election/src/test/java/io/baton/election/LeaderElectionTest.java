package io.baton.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Dialect;
import io.baton.Op;
import io.baton.Telemetry;
import io.baton.election.internal.line.ElectionLine;
import io.baton.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Elections as applications use them, with real threads. */
@Timeout(60)
class LeaderElectionTest {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    private Coordinator baton;
    private LeaderElection election;

    @BeforeEach
    void connect() throws InterruptedException {
        MemoryStore.drop("election");
        baton = Coordinator.connect(
                "mem:election",
                CoordinatorOptions.builder()
                        .ttl(Duration.ofSeconds(4))
                        .closeTimeout(CLOSE_TIMEOUT)
                        .build());
        election = LeaderElection.named(baton, "boss");
    }

    @AfterEach
    void close() {
        baton.close();
    }

    @Test
    void onElected_always_runsOnAThreadOfItsOwn() throws Exception {
        try (Candidacy me = election.run(Candidate.of("a"), leadership -> {
            told.add(Thread.currentThread().getName());
            leadership.awaitStop();
        })) {
            assertThat(next()).startsWith("baton-leader-boss-");
            assertThat(me.leadership()).isPresent();
        }
    }

    @Test
    void onElected_resigned_isInterruptedAndToldWhy() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Candidacy me = election.run(Candidate.of("a"), leadership -> {
            told.add("leads");
            try {
                never.await();
            } finally {
                told.add("stopped: " + leadership.stopReason().orElseThrow());
            }
        });
        assertThat(next()).isEqualTo("leads");
        me.resign().get(30, TimeUnit.SECONDS);

        assertThat(next()).isEqualTo("stopped: RESIGNED");
        assertThat(next()).isEqualTo("leads");
    }

    @Test
    void handOver_waitedForByTheWorkOrACallback_isRefused() throws Exception {
        LinkedBlockingQueue<Candidacy> own = new LinkedBlockingQueue<>();
        Candidacy me = election.run(Candidate.of("a"), leadership -> {
            Candidacy mine = own.take();
            // Before anything is told: after that the term may end at any time.
            leadership.onStop(why -> told.add(said(() -> election.handOver("b", Duration.ofSeconds(1)))));
            told.add(said(() -> mine.handOver("b", Duration.ofSeconds(1))));
            leadership.awaitStop();
        });
        own.add(me);

        assertThat(next())
                .startsWith("IllegalStateException: the work cannot wait")
                .endsWith("use handOverAsync");
        me.resign();
        assertThat(next()).startsWith("IllegalStateException: a callback must not wait");
    }

    @Test
    void handOver_fromAnotherThread_waitsUntilTheOtherOneIsFirst() throws Exception {
        Candidacy a = election.run(Candidate.of("a"), leadership -> {
            told.add("a");
            leadership.awaitStop();
        });
        assertThat(next()).isEqualTo("a");
        election.run(Candidate.of("b"), leadership -> {
            told.add("b");
            leadership.awaitStop();
        });
        await().until(() ->
                MemoryStore.named("election").peers("elections/boss").size() == 2);

        a.handOver("b", Duration.ofSeconds(10));

        assertThat(next()).isEqualTo("b");
        assertThat(said(() -> a.handOver("b", Duration.ofSeconds(1)))).startsWith("HandOverException: ");
        assertThat(said(() -> election.handOver("x", Duration.ofSeconds(1))))
                .startsWith("HandOverException: no candidate 'x'");
        assertThat(said(() -> election.handOver("x", Duration.ZERO))).startsWith("IllegalArgumentException: timeout");
        assertThat(said(() -> election.handOver(" ", Duration.ofSeconds(1))))
                .startsWith("IllegalArgumentException: a candidate's id");
    }

    /** A program may give Baton the threads on which it works itself. */
    @Test
    void calls_onTheOnlyCallbackThread_waitForNoCallback() throws Exception {
        ExecutorService only = Executors.newSingleThreadExecutor();
        CoordinatorOptions options =
                CoordinatorOptions.builder().callbacks(only).build();
        try (Coordinator own = Coordinator.connect("mem:election", options)) {
            Future<String> worked = only.submit(() -> {
                LeaderElection boss = LeaderElection.named(own, "boss");
                boss.pause("operator", "maintenance", Duration.ofSeconds(10));
                String by = boss.resume(Duration.ofSeconds(10)).orElseThrow().by();
                StandbyAdmin nodes = StandbyAdmin.named(own, "boss");
                nodes.wake("operator");
                return by + " " + nodes.overview().members();
            });

            assertThat(worked.get(30, TimeUnit.SECONDS)).isEqualTo("operator []");
        } finally {
            only.shutdownNow();
        }
    }

    @Test
    void close_onTheOnlyCallbackThread_waitsForNoCallback() throws Exception {
        ExecutorService only = Executors.newSingleThreadExecutor();
        CoordinatorOptions options = CoordinatorOptions.builder()
                .closeTimeout(Duration.ofSeconds(20))
                .callbacks(only)
                .build();
        try (Coordinator own = Coordinator.connect("mem:election", options)) {
            Candidacy me = LeaderElection.named(own, "boss").run(Candidate.of("a"), leadership -> {
                told.add("leads");
                leadership.awaitStop();
            });
            assertThat(next()).isEqualTo("leads");

            Future<?> closed = only.submit(me::close);

            closed.get(15, TimeUnit.SECONDS);
            assertThat(me.state()).isEqualTo(CandidacyState.CLOSED);
        } finally {
            only.shutdownNow();
        }
    }

    /** Nothing of it may reach the log, telemetry and records by way of its own methods. */
    @Test
    void work_throwsWhatCannotBePrinted_isReportedAndTheCandidateStandsAgain() throws Exception {
        LinkedBlockingQueue<String> failures = new LinkedBlockingQueue<>();
        try (Coordinator own = reporting(failures)) {
            LeaderElection boss = LeaderElection.named(own, "boss");
            Candidacy thread = boss.run(Candidate.of("a"), leadership -> leadAndThrow());
            assertReportedAndLeadsAgain(failures);
            thread.close();
            Candidacy async = boss.runAsync(Candidate.of("b"), leadership -> {
                leadAndThrow();
                return CompletableFuture.completedFuture(null);
            });
            assertReportedAndLeadsAgain(failures);
            async.close();
        }
    }

    private void leadAndThrow() {
        told.add("leads");
        throw new Unprintable();
    }

    private void assertReportedAndLeadsAgain(LinkedBlockingQueue<String> failures) throws InterruptedException {
        assertThat(next()).isEqualTo("leads");
        assertThat(failures.poll(30, TimeUnit.SECONDS)).contains(Unprintable.class.getName());
        assertThat(next()).isEqualTo("leads");
        told.clear();
        failures.clear();
    }

    private static Coordinator reporting(LinkedBlockingQueue<String> failures) throws InterruptedException {
        Telemetry listener = new Telemetry() {
            @Override
            public void termEnded(TermEnded event) {
                failures.add(event.failure());
            }
        };
        return Coordinator.connect(
                "mem:election", CoordinatorOptions.builder().telemetry(listener).build());
    }

    @Test
    void handOver_candidateThrowsWhatCannotBePrinted_isRefusedWithTheReason() throws Exception {
        Candidacy a = election.run(Candidate.of("a"), leadership -> {
            told.add("leads");
            leadership.awaitStop();
        });
        assertThat(next()).isEqualTo("leads");
        Candidate unsure = Candidate.builder("b")
                .ready(() -> {
                    throw new Unprintable();
                })
                .build();
        Candidacy b = election.run(unsure, Leadership::awaitStop);
        await().until(() -> b.state() == CandidacyState.WAITING);

        assertThat(said(() -> a.handOver("b", Duration.ofSeconds(10))))
                .contains("could not tell whether it is ready", Unprintable.class.getName());
    }

    @Test
    void coordinator_closedAndTheWorkOutlivesIt_isClosedOnceThatReturns() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        Candidacy me = outliving(released);
        LinkedBlockingQueue<CandidacyState> states = new LinkedBlockingQueue<>();
        me.onChange(states::add);
        CompletableFuture<Void> resigned = me.resign();
        CompletableFuture<Void> closed = me.closeAsync();

        baton.close();
        await().until(() -> !ElectionLine.named(baton, "boss").loop().post(() -> {}));
        CompletableFuture<Void> closedAgain = me.closeAsync();
        assertThat(closedAgain).failsWithin(Duration.ofMillis(200)).withThrowableOfType(TimeoutException.class);
        assertThat(closed).isNotDone();
        assertThat(resigned).isNotDone();
        LinkedBlockingQueue<CandidacyState> lateStates = new LinkedBlockingQueue<>();
        me.onChange(lateStates::add);
        released.countDown();

        closedAgain.get(30, TimeUnit.SECONDS);
        closed.get(30, TimeUnit.SECONDS);
        resigned.get(30, TimeUnit.SECONDS);
        assertThat(me.state()).isEqualTo(CandidacyState.CLOSED);
        await().until(() -> states.contains(CandidacyState.CLOSED));
        await().untilAsserted(
                        () -> assertThat(lateStates).containsExactly(CandidacyState.DEPOSED, CandidacyState.CLOSED));
    }

    private Candidacy outliving(CountDownLatch released) throws InterruptedException {
        Candidate candidate = Candidate.builder("a").lastResort(stuck -> {}).build();
        Candidacy me = election.run(candidate, leadership -> {
            told.add("leads");
            Uninterrupted.await(released);
        });
        assertThat(next()).isEqualTo("leads");
        return me;
    }

    private interface Call {
        void run() throws InterruptedException;
    }

    private static String said(Call call) {
        try {
            call.run();
            return "nothing";
        } catch (InterruptedException | RuntimeException thrown) {
            return thrown.getClass().getSimpleName() + ": " + thrown.getMessage();
        }
    }

    @Test
    void awaitStop_byTheWork_takesTheInterrupt() throws Exception {
        Candidacy me = election.run(Candidate.of("a"), leadership -> {
            told.add("leads");
            StopReason why = leadership.awaitStop();
            told.add(why + ", interrupted: " + Thread.currentThread().isInterrupted());
        });
        for (int i = 0; i < 50; i++) {
            assertThat(next()).isEqualTo("leads");
            me.resign();
            assertThat(next()).isEqualTo("RESIGNED, interrupted: false");
        }
    }

    @Test
    void close_byTheWorkItself_doesNotWaitForItself() throws Exception {
        LinkedBlockingQueue<Candidacy> own = new LinkedBlockingQueue<>();
        Candidacy me = election.run(Candidate.of("a"), leadership -> {
            own.take().close();
            told.add("closed");
        });
        own.add(me);

        assertThat(next()).isEqualTo("closed");
        me.closeAsync().get(30, TimeUnit.SECONDS);
        assertThat(MemoryStore.named("election").peers("elections/boss")).isEmpty();
    }

    @Test
    void close_workIgnoresTheInterrupt_returnsAndTheLastResortIsTaken() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        LinkedBlockingQueue<LastResort.Stuck> stuck = new LinkedBlockingQueue<>();
        Candidacy me = election.run(
                Candidate.builder("a")
                        .stopTimeout(Duration.ofMillis(50))
                        .lastResort(stuck::add)
                        .build(),
                leadership -> {
                    told.add("leads");
                    Uninterrupted.await(released, () -> told.add("ignored"));
                });
        assertThat(next()).isEqualTo("leads");
        me.closeAsync();

        LastResort.Stuck work = stuck.poll(30, TimeUnit.SECONDS);
        assertThat(next()).isEqualTo("ignored");
        assertThat(work.thread().orElseThrow().getName()).startsWith("baton-leader-boss-");
        assertThat(work.leadership().remaining()).isPositive();
        assertThat(MemoryStore.named("election").peers("elections/boss")).hasSize(1);

        released.countDown();
        await().until(() ->
                MemoryStore.named("election").peers("elections/boss").isEmpty());
    }

    @Test
    void guard_deposedLeader_cannotWrite() throws Exception {
        LinkedBlockingQueue<Leadership> terms = new LinkedBlockingQueue<>();
        election.runAsync(Candidate.of("a"), leadership -> {
            terms.add(leadership);
            return new CompletableFuture<>();
        });
        Leadership leadership = terms.poll(30, TimeUnit.SECONDS);
        var key = baton.records("stock").key("item");
        assertThat(baton.transact(List.of(leadership.guard()), List.of(Op.put(key, "one"))))
                .isTrue();

        MemoryStore store = MemoryStore.named("election");
        store.removeEntry(store.peers("elections/boss").get(0));

        assertThat(baton.transact(List.of(leadership.guard()), List.of(Op.put(key, "two"))))
                .isFalse();
    }

    @Test
    void run_timingsThatCannotWork_areRefused() {
        Candidate hasty = Candidate.builder("a")
                .whenSuspended(WhenSuspended.RIDE_OUT)
                .stopTimeout(Duration.ofSeconds(3))
                .build();

        assertThatThrownBy(() -> election.run(hasty, leadership -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("stopTimeout");
    }

    /** As on etcd, where all of these can be. */
    @Test
    void run_sameIdAtPathsThatDifferByASlash_standsInElectionsOfTheirOwn() throws Exception {
        for (LeaderElection each : List.of(
                election,
                LeaderElection.at(baton, "elections/boss", Dialect.BATON),
                LeaderElection.at(baton, "/elections/boss", Dialect.BATON))) {
            each.run(Candidate.of("a"), leadership -> {
                told.add("leads");
                leadership.awaitStop();
            });
            assertThat(next()).isEqualTo("leads");
        }

        LeaderElection sameLine = LeaderElection.at(baton, "/elections/boss", new Dialect("other"));
        assertThatThrownBy(() -> sameLine.run(Candidate.of("a"), leadership -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has a candidate 'a'");
    }

    @Test
    void run_atAPathWithWhatWouldNotBeStored_isRefused() {
        LeaderElection shared = LeaderElection.at(baton, "/legacy/leader", Dialect.BATON);

        assertThatThrownBy(() ->
                        shared.run(Candidate.builder("a").address("here:80").build(), leadership -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("id");
    }

    @Test
    void handOver_atAPath_isRefusedWithTheReason() throws Exception {
        LeaderElection shared = LeaderElection.at(baton, "/legacy/leader", Dialect.BATON);
        Candidacy me = shared.run(Candidate.of("a"), leadership -> {
            told.add("leads");
            leadership.awaitStop();
        });
        assertThat(next()).isEqualTo("leads");

        assertThat(said(() -> me.handOver("b", Duration.ofSeconds(1))))
                .startsWith("HandOverException: there is no handing over at an exact path");
        assertThat(said(() -> shared.handOver("b", Duration.ofSeconds(1))))
                .startsWith("HandOverException: there is no handing over at an exact path");
        assertThatThrownBy(() -> shared.run(Candidate.builder("c").priority(1).build(), leadership -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("priority");
    }

    @Test
    void candidate_valuesThatMakeNoSense_areRefused() {
        assertThatThrownBy(() -> Candidate.of(" ")).hasMessageContaining("id");
        assertThatThrownBy(() -> Candidate.of("a\nb")).hasMessageContaining("id");
        assertThatThrownBy(() -> Candidate.builder("a").address("x".repeat(513)).build())
                .hasMessageContaining("address");
        assertThatThrownBy(() ->
                        Candidate.builder("a").metadata("k", "x".repeat(9000)).build())
                .hasMessageContaining("metadata");
        assertThatThrownBy(
                        () -> Candidate.builder("a").stopTimeout(Duration.ZERO).build())
                .hasMessageContaining("stopTimeout");
        assertThatThrownBy(() -> Candidate.builder("a").priority(-1).build()).hasMessageContaining("priority");
        assertThatThrownBy(() ->
                        Candidate.builder("a").priorityDelay(Duration.ZERO).build())
                .hasMessageContaining("priorityDelay");
    }

    private String next() throws InterruptedException {
        String next = told.poll(30, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }
}
