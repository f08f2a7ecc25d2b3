package io.baton.election;

import static io.baton.election.CandidacyState.CLOSED;
import static io.baton.election.CandidacyState.DEPOSED;
import static io.baton.election.CandidacyState.LEADING;
import static io.baton.election.CandidacyState.OUT_OF_CONTACT;
import static io.baton.election.CandidacyState.PAUSED;
import static io.baton.election.CandidacyState.REFUSED;
import static io.baton.election.CandidacyState.STOPPING;
import static io.baton.election.CandidacyState.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Subscription;
import io.baton.election.internal.candidacy.CandidacyMachine.State;
import io.baton.election.internal.candidacy.CandidacyStates;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.recipe.Callbacks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What users see of a candidacy's state, on virtual time. */
class CandidacyStateTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Rig rig = new Rig("candidacy-state");
    private final DefaultCoordinator alice = rig.client("alice");
    private final DefaultCoordinator bob = rig.client("bob");
    private final Rig.Work a = rig.work("a");
    private final Rig.Work b = rig.work("b");
    private final List<CandidacyState> states = new ArrayList<>();

    @Test
    void state_fromWaitingToTheEnd_isToldInOrder() {
        run(alice, "a", a);
        Candidacy second = watched(bob, "b", b);
        assertThat(second.state()).isEqualTo(WAITING);
        a.end();
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(second.state()).isEqualTo(LEADING);
        second.resign();
        rig.loop.run();
        assertThat(second.state()).isEqualTo(STOPPING);
        b.end();
        assertThat(second.state()).isEqualTo(WAITING);
        second.closeAsync();
        rig.loop.run();

        assertThat(second.state()).isEqualTo(CLOSED);
        assertThat(states).containsExactly(WAITING, LEADING, STOPPING, WAITING, CLOSED);
    }

    @Test
    void state_ofALeaderThatHandsOver_isStoppingUntilTheOtherLeads() {
        Candidacy first = watched(alice, "a", a);
        run(bob, "b", b);
        var unused = first.handOverAsync("b", TIMEOUT);
        rig.loop.run();
        a.end();

        assertThat(states).endsWith(LEADING, STOPPING, WAITING);
    }

    @Test
    void state_lostWhileTheWorkGoesOn_isDeposed() {
        Candidacy only = watched(alice, "a", a);
        rig.store.expireSessions("alice");
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(only.state()).isEqualTo(DEPOSED);
        a.end();
        rig.loop.pass(Duration.ofSeconds(1));

        assertThat(states).endsWith(LEADING, DEPOSED, WAITING, LEADING);
    }

    @Test
    void state_waitingOutOfContact_saysSo() {
        run(alice, "a", a);
        Candidacy second = watched(bob, "b", b);
        rig.store.suspend("bob");
        rig.loop.run();
        assertThat(second.state()).isEqualTo(OUT_OF_CONTACT);
        rig.store.resume();
        rig.loop.pass(Duration.ofSeconds(1));

        assertThat(states).containsExactly(WAITING, OUT_OF_CONTACT, WAITING);
    }

    @Test
    void state_leadingOutOfContactAndRidingItOut_isLeading() {
        Candidate candidate =
                Candidate.builder("a").whenSuspended(WhenSuspended.RIDE_OUT).build();
        Candidacy only = election(alice).runAsync(candidate, a);
        only.onChange(states::add);
        rig.loop.run();
        rig.store.suspend("alice");
        rig.loop.pass(Duration.ofMillis(500));

        assertThat(only.state()).isEqualTo(LEADING);
        assertThat(states).endsWith(LEADING);
    }

    @Test
    void state_paused_isPausedUntilResumed() {
        run(alice, "a", a);
        Candidacy second = watched(bob, "b", b);
        var unusedPause = election(alice).pauseAsync("ops", "", TIMEOUT);
        rig.loop.run();
        assertThat(second.state()).isEqualTo(PAUSED);
        var unusedResume = election(alice).resumeAsync(TIMEOUT);
        rig.loop.run();

        assertThat(states).containsExactly(WAITING, PAUSED, WAITING);
    }

    @Test
    void state_pausedWhileItStoodInNoLine_isPaused() {
        run(alice, "a", a);
        DefaultCoordinator full = DefaultCoordinator.start(
                rig.store, rig.loop, rig.loop, Rig.options("full").maxWaiting(1).build());
        var unusedFirst = full.lock("taken").acquireAsync();
        rig.loop.run();
        var unusedSecond = full.lock("taken").acquireAsync();
        Candidacy second = watched(full, "b", b);
        assertThat(second.state()).isEqualTo(REFUSED);
        var unusedPause = election(alice).pauseAsync("ops", "", TIMEOUT);
        rig.loop.pass(Duration.ofSeconds(10));

        assertThat(second.state()).isEqualTo(PAUSED);
    }

    @Test
    void state_anotherOneOfItsId_isRefusedUntilThatHasGone() {
        Candidacy first = run(alice, "a", a);
        Candidacy second = watched(bob, "a", b);
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(second.state()).isEqualTo(REFUSED);
        assertThat(second.trouble()).isPresent();
        first.closeAsync();
        rig.loop.run();
        a.end();
        rig.loop.pass(Duration.ofSeconds(10));

        assertThat(states).startsWith(REFUSED).endsWith(LEADING);
    }

    @Test
    void state_refusedAndThenBehindAnother_isWaiting() {
        run(rig.client("carol"), "c", rig.work("c"));
        Candidacy first = run(alice, "a", a);
        Candidacy second = watched(bob, "a", b);
        assertThat(second.state()).isEqualTo(REFUSED);
        first.closeAsync();
        rig.loop.pass(Duration.ofSeconds(10));

        assertThat(second.state()).isEqualTo(WAITING);
        assertThat(states).containsExactly(REFUSED, WAITING);
    }

    @Test
    void state_coordinatorWasClosedBefore_isClosed() {
        rig.loop.run();
        rig.loop.close();

        Candidacy never = election(bob).runAsync(Candidate.of("b"), b);

        assertThat(never.state()).isEqualTo(CLOSED);
        assertThat(never.onChange(states::add)).isNotNull();
    }

    @Test
    void state_coordinatorIsClosed_isClosedWithoutATurnOutOfContact() {
        run(alice, "a", a);
        Candidacy second = watched(bob, "b", b);
        bob.closeAsync();
        rig.loop.run();

        assertThat(second.state()).isEqualTo(CLOSED);
        assertThat(states).containsExactly(WAITING, CLOSED);
    }

    @Test
    void onChange_late_isToldThePresentStateAndNothingOnceClosed() {
        Candidacy only = run(alice, "a", a);
        Subscription subscription = only.onChange(states::add);
        rig.loop.run();
        assertThat(states).containsExactly(LEADING);
        subscription.close();
        only.resign();
        rig.loop.run();

        assertThat(states).containsExactly(LEADING);
    }

    @Test
    void onChange_listener_runsWhereCallbacksDo() {
        List<Boolean> inside = new ArrayList<>();
        Candidacy only = run(alice, "a", a);
        only.onChange(state -> inside.add(Callbacks.inside()));
        only.resign();
        rig.loop.run();

        assertThat(inside).containsExactly(true, true);
    }

    @Test
    void onChange_thousandBehind_isToldTheNewest() {
        Deque<Runnable> callbacks = new ArrayDeque<>();
        DefaultCoordinator slow = rig.client("slow", callbacks::add);
        run(alice, "a", a);
        Candidacy second = watched(slow, "b", b);
        for (int i = 0; i < 1_200; i++) {
            rig.store.suspend("slow");
            rig.loop.run();
            rig.store.resume();
            rig.loop.run();
        }
        while (!callbacks.isEmpty()) {
            callbacks.remove().run();
        }

        assertThat(states).hasSizeLessThanOrEqualTo(1_000).last().isEqualTo(second.state());
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void of_anyStateOfTheMachine_contactMattersOnlyToThoseWhoDoNotLead(State machine) {
        boolean leads =
                CandidacyStates.of(machine, true, false, false) == CandidacyStates.of(machine, false, true, true);

        assertThat(leads).isEqualTo(machine != State.IDLE && machine != State.STANDING);
    }

    private Candidacy watched(DefaultCoordinator client, String id, Rig.Work work) {
        Candidacy begun = run(client, id, work);
        begun.onChange(states::add);
        rig.loop.run();
        return begun;
    }

    private Candidacy run(DefaultCoordinator client, String id, Rig.Work work) {
        rig.loop.run();
        Candidacy begun = election(client).runAsync(Candidate.of(id), work);
        rig.loop.run();
        return begun;
    }

    private static LeaderElection election(DefaultCoordinator client) {
        return LeaderElection.named(client, "boss");
    }
}
