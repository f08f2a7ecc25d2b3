package io.baton.election;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Subscription;
import io.baton.testkit.server.ChildProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rule of {@link io.baton} for code that throws, in elections and nodes. */
@Timeout(120)
class ThrowingListenersTest {

    private static final String DONE = "each was called, and so was the one behind it";
    private static final String LISTENER = "Listener io.baton.election.ThrowingListenersTest$Throwing of ";

    @Test
    void listeners_thatThrow_areNamedInTheLogAndStayAsDoTheOthers() throws Exception {
        Process program = ChildProcess.small(
                        Program.class, List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"), List.of())
                .redirectErrorStream(true)
                .start();
        List<String> said = new String(program.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .toList();

        assertThat(program.waitFor()).as("%s", said).isZero();
        assertThat(said).last().isEqualTo(DONE);
        for (String of : List.of(
                "who leads election 'boss'",
                "pauses of election 'boss'",
                "the leader's state in election 'pair'",
                "candidate 'a' in election 'boss'",
                "election 'boss', term ",
                "node 'n' of 'pair'")) {
            assertThat(said)
                    .anySatisfy(line -> assertThat(line)
                            .contains("WARN ")
                            .contains(LISTENER + of)
                            .endsWith(" threw; all others are told as well"));
        }
        assertThat(said).anySatisfy(line -> assertThat(line).contains("WARN ").contains("$LastResorts of election 'b"));
        assertThat(said).anySatisfy(line -> assertThat(line).contains("WARN ").contains("'b' was asked whether"));
        assertThat(said).anySatisfy(line -> assertThat(line).contains("WARN ").contains(" the work of term "));
        assertThat(said).anySatisfy(line -> assertThat(line).contains("java.io.IOException: as work may"));
        assertThat(said)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("io.baton.recipe.UnprintableException: " + Unprintable.class.getName()));
    }

    /** Where listeners can be registered, each time one that throws and one that does not. */
    static final class Program {

        private Program() {}

        public static void main(String[] args) throws Exception {
            CoordinatorOptions options =
                    CoordinatorOptions.builder().ttl(Duration.ofSeconds(4)).build();
            try (Coordinator baton = Coordinator.connect("mem:throwing", options)) {
                election(LeaderElection.named(baton, "boss"));
                handOver(LeaderElection.named(baton, "unsure"));
                work(LeaderElection.named(baton, "broken"));
                nodes(baton, LeaderElection.named(baton, "pair"));
            }
            System.out.println(DONE);
        }

        private static void election(LeaderElection election) throws Exception {
            var leaders = new Pair<Optional<Leader>>();
            var pauses = new Pair<Optional<Pause>>();
            var states = new Pair<CandidacyState>();
            var stops = new Pair<StopReason>();
            var lastResort = new LastResorts();
            Candidate a = Candidate.builder("a")
                    .stopTimeout(Duration.ofMillis(100))
                    .lastResort(lastResort)
                    .build();
            try (LeaderObserver observer = election.observe();
                    Subscription first = election.onPause(pauses.throwing);
                    Subscription second = election.onPause(pauses.behind)) {
                observer.onChange(leaders.throwing);
                observer.onChange(leaders.behind);
                try (Candidacy me = election.runAsync(a, leadership -> {
                    leadership.onStop(stops.throwing);
                    leadership.onStop(stops.behind);
                    return lastResort.taken;
                })) {
                    me.onChange(states.throwing);
                    me.onChange(states.behind);
                    await().until(() -> leaders.called(1) && states.called(1));
                    election.pause("operator", "test", Duration.ofSeconds(10));
                    election.resume(Duration.ofSeconds(10));
                    await().until(() -> pauses.called(3));
                    me.resign();
                    await().until(() -> stops.called(1) && states.called(2) && leaders.called(2));
                }
                assertThat(List.of(first, second)).doesNotContainNull();
            }
        }

        private static void handOver(LeaderElection election) throws InterruptedException {
            Candidate unsure = Candidate.builder("b")
                    .ready(() -> {
                        throw new IllegalStateException("as a predicate may");
                    })
                    .build();
            try (Candidacy leader = election.runAsync(Candidate.of("a"), Program::untilTold)) {
                await().until(() -> leader.leadership().isPresent());
                try (Candidacy behind = election.runAsync(unsure, Program::untilTold)) {
                    await().until(() -> behind.state() == CandidacyState.WAITING);
                    assertThatThrownBy(() -> election.handOver("b", Duration.ofSeconds(10)))
                            .isInstanceOf(HandOverException.class)
                            .hasMessageContaining("could not tell whether it is ready");
                }
            }
        }

        private static CompletableFuture<StopReason> untilTold(Leadership leadership) {
            var told = new CompletableFuture<StopReason>();
            leadership.onStop(told::complete);
            return told;
        }

        /** Work may throw what it likes. */
        private static void work(LeaderElection election) {
            var terms = new CountDownLatch(2);
            Candidacy thrower = election.run(Candidate.of("w"), leadership -> {
                terms.countDown();
                throw new IOException("as work may");
            });
            Candidacy beginner = election.runAsync(Candidate.of("v"), leadership -> {
                terms.countDown();
                throw new IOException("as work may");
            });
            await().until(() -> terms.getCount() == 0);
            thrower.close();
            beginner.close();
            unprintable(election);
        }

        /** What is logged of it must not keep the candidate from the next term. */
        private static void unprintable(LeaderElection election) {
            var terms = new AtomicInteger();
            Candidacy stopped = election.run(Candidate.of("u"), leadership -> {
                terms.incrementAndGet();
                leadership.awaitStop();
                throw new Unprintable();
            });
            await().until(() -> terms.get() == 1);
            stopped.resign();
            await().until(() -> terms.get() == 2);
            stopped.close();
        }

        private static void nodes(Coordinator baton, LeaderElection election) {
            var leaderStates = new Pair<Optional<LeaderState>>();
            var states = new Pair<ActiveStandby.State>();
            ActiveStandby node = ActiveStandby.builder(baton, "pair", "n")
                    .onPromote(leadership -> {}, Duration.ofMillis(500))
                    .onDemote(leadership -> {}, Duration.ofMillis(500))
                    .withoutFencer("a test")
                    .build();
            try (Subscription first = election.onLeaderState(leaderStates.throwing);
                    Subscription second = election.onLeaderState(leaderStates.behind)) {
                node.onState(states.throwing);
                node.onState(states.behind);
                node.start();
                await().until(() -> states.called(3) && leaderStates.called(2));
                node.close();
                await().until(() -> states.called(4));
                assertThat(List.of(first, second)).doesNotContainNull();
            }
        }
    }

    /** One that throws, and one that is told behind it. */
    private static final class Pair<T> {

        private final Throwing<T> throwing = new Throwing<>();
        private final AtomicInteger behindCalls = new AtomicInteger();
        private final Consumer<T> behind = now -> behindCalls.incrementAndGet();

        boolean called(int atLeast) {
            return throwing.calls.get() >= atLeast && behindCalls.get() >= atLeast;
        }
    }

    private static final class Throwing<T> implements Consumer<T> {

        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public void accept(T now) {
            calls.incrementAndGet();
            throw new IllegalStateException("as a listener may");
        }
    }

    /** Lets the work go, and throws. */
    private static final class LastResorts implements LastResort {

        private final CompletableFuture<Void> taken = new CompletableFuture<>();

        @Override
        public void stuck(Stuck work) {
            taken.complete(null);
            throw new IllegalStateException("as a last resort may");
        }
    }
}
