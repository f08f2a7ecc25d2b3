package io.baton.election.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.Dialect;
import io.baton.Telemetry;
import io.baton.election.Candidate;
import io.baton.election.Pause;
import io.baton.election.Rig;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.line.PauseRecord;
import io.baton.internal.client.DefaultCoordinator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Whether a candidate has to keep out of the election, as it hears of it and as it finds out for certain. */
class PauseGateTest {

    private final Rig rig = new Rig("pausegate");
    private final List<String> reported = new ArrayList<>();
    private final DefaultCoordinator client = DefaultCoordinator.start(
            rig.store,
            rig.loop,
            rig.loop,
            Rig.options("a")
                    .requestTimeout(Duration.ofSeconds(2))
                    .telemetry(new Reported())
                    .build());
    private final PauseRecord record = new PauseRecord(ElectionLine.named(rig.client("operator"), "boss"));
    private final PauseGate gate = gate(ElectionLine.named(client, "boss"));
    private int changes;
    private int answers;
    private boolean wanted = true;

    private final class Reported implements Telemetry {

        @Override
        public void electionPause(ElectionPause event) {
            String what = event.paused() ? "paused by " + event.by() : "resumed";
            reported.add(
                    event.election() + ", " + event.candidate() + ": " + what + (event.barred() ? ", barred" : ""));
        }
    }

    private PauseGate gate(ElectionLine line) {
        return new PauseGate(line, Candidate.of("a"), () -> changes++);
    }

    private Pause pause(String leader) {
        var pause = new Pause(
                "ops", Instant.ofEpochMilli(17), "", Optional.of(leader).filter(id -> !id.isEmpty()));
        CompletableFuture<Boolean> written = record.write(pause, List.of());
        rig.loop.run();
        assertThat(written).isCompletedWithValue(true);
        return pause;
    }

    private void resume() {
        var item = record.item();
        rig.loop.run();
        CompletableFuture<Boolean> removed = record.remove(item.join().orElseThrow());
        rig.loop.run();
        assertThat(removed).isCompletedWithValue(true);
    }

    private void ask(PauseGate which) {
        which.check(() -> wanted, () -> answers++);
    }

    @Test
    void begin_pausedAndResumed_eachIsToldOnce() {
        gate.begin();
        rig.loop.run();
        assertThat(gate.blocks()).isFalse();
        assertThat(changes).isZero();
        Pause pause = pause("");
        assertThat(gate.blocks()).isTrue();
        assertThat(gate.pause()).contains(pause);
        assertThat(changes).isEqualTo(1);
        ask(gate);
        rig.loop.run();
        assertThat(changes).isEqualTo(1);
        resume();
        assertThat(gate.blocks()).isFalse();
        assertThat(gate.pause()).isEmpty();
        assertThat(changes).isEqualTo(2);
    }

    @Test
    void begin_pausedAndResumed_eachIsReportedOnce() {
        gate.begin();
        rig.loop.run();
        pause("");
        resume();

        assertThat(reported).containsExactly("boss, a: paused by ops, barred", "boss, a: resumed");
    }

    @Test
    void end_nothingIsToldAnyMore() {
        gate.begin();
        rig.loop.run();
        gate.end();
        pause("");
        assertThat(gate.blocks()).isFalse();
        assertThat(changes).isZero();
    }

    @Test
    void bars_whoLedWhenItWasPaused_mayLeadOn() {
        pause("a");
        ask(gate);
        rig.loop.run();
        assertThat(gate.pause()).isPresent();
        assertThat(gate.blocks()).isFalse();
        PauseGate another = new PauseGate(ElectionLine.named(client, "boss"), Candidate.of("b"), () -> {});
        ask(another);
        rig.loop.run();
        assertThat(another.blocks()).isTrue();
    }

    @Test
    void ask_itHasNotHeardOfThePause_knowsItWithTheAnswer() {
        pause("");
        assertThat(gate.blocks()).isFalse();
        gate.check(() -> wanted, () -> {
            answers++;
            assertThat(gate.blocks()).isTrue();
        });
        assertThat(answers).isZero();
        rig.loop.run();
        assertThat(answers).isEqualTo(1);
        assertThat(changes).isEqualTo(1);
    }

    @Test
    void ask_ofNoInterestAnyMore_isNotTold() {
        pause("");
        ask(gate);
        wanted = false;
        rig.loop.run();
        assertThat(answers).isZero();
        assertThat(gate.pause()).isEmpty();
    }

    @Test
    void ask_ofNoInterestOnceItIsKnown_isNotTold() {
        PauseGate leaves = new PauseGate(ElectionLine.named(client, "boss"), Candidate.of("a"), () -> wanted = false);
        pause("");
        ask(leaves);
        rig.loop.run();
        assertThat(leaves.blocks()).isTrue();
        assertThat(answers).isZero();
    }

    @Test
    void ask_storeCannotBeReached_isToldOnceItAnswers() {
        pause("");
        rig.store.suspend("a");
        ask(gate);
        rig.loop.pass(Duration.ofSeconds(5));
        assertThat(answers).isZero();
        rig.store.resume();
        rig.loop.pass(Duration.ofMinutes(1));
        assertThat(answers).isEqualTo(1);
        assertThat(gate.blocks()).isTrue();
    }

    @Test
    void ask_storeCannotBeReachedAndOfNoInterestAnyMore_isNotAskedAgain() {
        pause("");
        rig.store.suspend("a");
        List<String> looks = new ArrayList<>();
        gate.check(
                () -> {
                    looks.add("look");
                    return looks.size() < 2;
                },
                () -> answers++);
        rig.loop.pass(Duration.ofSeconds(5));
        // Once when it has failed, and once before it would be asked again.
        assertThat(looks).hasSize(2);
        rig.store.resume();
        rig.loop.pass(Duration.ofMinutes(1));
        assertThat(looks).hasSize(2);
        assertThat(answers).isZero();
        assertThat(gate.pause()).isEmpty();
    }

    @Test
    void ask_whatMayNotBeRead_keepsNobodyFromLeading() {
        pause("");
        var unused = client.closeAsync();
        rig.loop.pass(Duration.ofSeconds(10));
        ask(gate);
        rig.loop.pass(Duration.ofSeconds(10));
        assertThat(answers).isEqualTo(1);
        assertThat(gate.blocks()).isFalse();
    }

    @Test
    void ask_onASharedPath_isToldAtOnceAndNothingIsFollowed() {
        PauseGate exact = gate(ElectionLine.at((Coordinator) client, "/legacy/boss", Dialect.BATON));
        exact.begin();
        pause("");
        ask(exact);
        assertThat(answers).isEqualTo(1);
        assertThat(exact.blocks()).isFalse();
    }

    /** As after a break, or where a server has lost an event: an observer is told what is there in the end. */
    @Test
    void ask_pauseWasNeverObserved_itsEndIsFoundOut() {
        DefaultCoordinator deaf = DefaultCoordinator.start(
                DeafStore.to("baton.pauses", rig.store),
                rig.loop,
                rig.loop,
                Rig.options("deaf").build());
        PauseGate unaware = gate(ElectionLine.named(deaf, "boss"));
        unaware.begin();
        rig.loop.run();
        pause("b");
        ask(unaware);
        rig.loop.run();
        assertThat(unaware.blocks()).isTrue();
        rig.loop.pass(Duration.ofSeconds(10));
        assertThat(unaware.blocks()).isTrue();

        resume();
        rig.loop.pass(Duration.ofSeconds(3));

        assertThat(unaware.blocks()).isFalse();
        int timers = rig.loop.timers();
        rig.loop.pass(Duration.ofSeconds(10));
        assertThat(rig.loop.timers()).isLessThanOrEqualTo(timers);
    }

    @Test
    void end_whilePausedUnobserved_looksNoMore() {
        DefaultCoordinator deaf = DefaultCoordinator.start(
                DeafStore.to("baton.pauses", rig.store),
                rig.loop,
                rig.loop,
                Rig.options("deaf").build());
        PauseGate unaware = gate(ElectionLine.named(deaf, "boss"));
        unaware.begin();
        rig.loop.run();
        pause("b");
        ask(unaware);
        rig.loop.run();

        unaware.end();
        resume();
        rig.loop.pass(Duration.ofSeconds(10));

        assertThat(unaware.blocks()).isTrue();
    }

    /** On etcd reads and observations take different ways, so an answer may come after what is newer. */
    @Test
    void ask_answerIsNotWhatIsObserved_looksAgainUntilItIs() {
        pause("b");
        DefaultCoordinator deaf = DefaultCoordinator.start(
                DeafStore.to("baton.pauses", rig.store),
                rig.loop,
                rig.loop,
                Rig.options("deaf").build());
        PauseGate observing = gate(ElectionLine.named(deaf, "boss"));
        observing.begin();
        rig.loop.run();
        assertThat(observing.blocks()).isTrue();
        resume();
        ask(observing);
        rig.loop.run();
        assertThat(observing.blocks()).isFalse();

        pause("b");
        rig.loop.pass(Duration.ofSeconds(3));

        assertThat(observing.blocks()).isTrue();
    }
}
