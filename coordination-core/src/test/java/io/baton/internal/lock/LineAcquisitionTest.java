package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.SessionLostException;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.callback.ClientCallbacks;
import io.baton.internal.telemetry.Reporter;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.LineAcquisition;
import io.baton.recipe.Resource;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An attempt to come first, and what its candidate is told, on a session whose every word is the test's. */
@Timeout(60)
class LineAcquisitionTest {

    private static final Resource BOSS = Resource.named("election", "boss");

    private final HandLoop loop = new HandLoop();
    private final ClientLoop own = new ClientLoop(loop);
    private final ScriptedStore store = new ScriptedStore(loop);
    private final Acquisitions all = new Acquisitions(
            own,
            ClientCallbacks.on(loop),
            CoordinatorOptions.defaults(),
            new Reporter(own, ClientCallbacks.on(loop), List.of()),
            NobodyAsks.on(own, ClientCallbacks.on(loop)),
            store.guarantees());
    private final List<String> told = new ArrayList<>();
    private Hold hold;
    private LineAcquisition bid;
    /** Whether the candidate throws when it is told of a state. */
    private boolean broken;

    private final SessionListener session = new SessionEvents(() -> this.all, store);

    private final LineAcquisition.Listener candidate = new LineAcquisition.Listener() {
        @Override
        public void granted(Hold granted) {
            hold = granted;
            told.add("granted");
        }

        @Override
        public void notGranted(Optional<CoordinationException> why) {
            told.add("refused" + why.map(reason -> ": " + reason.getMessage()).orElse(""));
        }

        @Override
        public void changed(HoldState state, boolean inContact) {
            String now = state == HoldState.JEOPARDY && inContact ? "JEOPARDY in contact" : state.toString();
            if (!told.get(told.size() - 1).equals(now)) {
                told.add(now);
            }
            if (broken) {
                throw new IllegalStateException("on purpose");
            }
        }
    };

    @BeforeEach
    void begin() {
        store.open(new SessionSpec(ScriptedStore.TIMEOUT, "test"), loop, session);
        store.connect();
        bid = new DefaultLineAcquisition(all.beginAcrossSessions(BOSS, UnaryOperator.identity()), candidate);
        loop.run();
    }

    @Test
    void stand_behindOthers_waitsWithoutEnd() {
        store.standing.waiting();

        loop.pass(Duration.ofDays(100));

        assertThat(store.asked).containsExactly("open", "join elections/boss");
        assertThat(told).isEmpty();
    }

    @Test
    void clear_proven_isGrantedBeforeAnythingElseIsTold() {
        store.clear();

        assertThat(told).containsExactly("granted", "HELD");
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void suspended_granted_isToldOnTheLoopAtOnce() {
        store.clear();

        store.suspend();
        assertThat(told).endsWith("JEOPARDY");

        store.connect();
        store.provenFor(ScriptedStore.TIMEOUT);
        assertThat(told).containsExactly("granted", "HELD", "JEOPARDY", "HELD");
    }

    @Test
    void suspended_candidateThrows_othersHearOfIt() {
        store.clear();
        Hold other = granted("other");
        List<HoldState> heard = new ArrayList<>();
        other.onState(heard::add);
        loop.run();
        broken = true;

        assertThatThrownBy(() -> {
                    store.suspend();
                    loop.run();
                })
                .hasMessage("on purpose");
        loop.run();

        assertThat(heard).endsWith(HoldState.JEOPARDY);
    }

    private Hold granted(String name) {
        Acquisition begun = all.beginAcrossSessions(Resource.named("election", name), UnaryOperator.identity());
        loop.run();
        store.clear();
        return begun.decision().join().orElseThrow();
    }

    @Test
    void wallClock_gainsWhileInContact_isToldAsADoubtAndThenAsHeld() {
        store.clear();

        loop.jumpWall(Duration.ofSeconds(1));
        hold.state();
        loop.run();
        assertThat(told).endsWith("JEOPARDY in contact");
        assertThat(store.asked).endsWith("prove");
        loop.pass(Duration.ofMillis(1));
        store.provenFor(ScriptedStore.TIMEOUT);

        assertThat(told).containsExactly("granted", "HELD", "JEOPARDY in contact", "HELD");
    }

    @Test
    void deadline_granted_isToldAsLostAndTheEntryIsGivenBack() {
        store.clear();

        loop.pass(ScriptedStore.TIMEOUT);

        assertThat(told).containsExactly("granted", "HELD", "LOST");
        assertThat(store.asked).endsWith("leave");
    }

    @Test
    void gone_granted_isLostAndNeedsNoRemoval() {
        store.clear();

        store.standing.lost(new LockLostException("an operator removed it"));

        assertThat(told).containsExactly("granted", "HELD", "LOST");
        assertThat(bid.withdraw()).isCompleted();
        assertThat(store.asked).doesNotContain("leave");
    }

    @Test
    void sessionLost_waiting_standsAgainInTheNext() {
        store.standing.waiting();
        store.standing.lost(new SessionLostException("expired"));
        all.lost();

        store.connect();
        store.clear();

        assertThat(store.asked).containsExactly("open", "join elections/boss", "join elections/boss");
        assertThat(told).containsExactly("granted", "HELD");
    }

    @Test
    void gone_waiting_isRefusedAndSaysWhy() {
        store.standing.waiting();

        store.standing.lost(new LockLostException("an operator removed it"));

        assertThat(told).containsExactly("refused: an operator removed it");
        assertThat(bid.withdraw()).isCompleted();
    }

    @Test
    void close_waiting_isRefusedAsTheCoordinatorIsClosed() {
        store.standing.waiting();

        all.close();

        assertThat(told).containsExactly("refused: the coordinator is closed");
    }

    @Test
    void withdraw_waiting_isRefusedWithoutAReasonAndDoneOnceTheEntryHasGone() {
        store.standing.waiting();

        CompletableFuture<Void> gone = bid.withdraw();
        loop.run();
        assertThat(told).containsExactly("refused");
        assertThat(store.asked).endsWith("leave");
        assertThat(gone).isNotDone();

        store.left.complete(null);
        assertThat(gone).isCompleted();
    }

    @Test
    void withdraw_granted_isReleasedAndDoneOnceTheEntryHasGone() {
        store.clear();

        CompletableFuture<Void> gone = bid.withdraw();
        loop.run();
        assertThat(told).containsExactly("granted", "HELD", "RELEASED");
        assertThat(store.asked).endsWith("leave");
        assertThat(gone).isNotDone();

        store.left.complete(null);
        assertThat(gone).isCompleted();
    }

    @Test
    void withdraw_clearComesBeforeItRuns_isNotGrantedAndIsReleased() {
        store.standing.waiting();

        CompletableFuture<Void> gone = bid.withdraw();
        store.clear();
        loop.run();

        assertThat(told).containsExactly("refused");
        assertThat(store.asked).endsWith("leave");
        store.left.complete(null);
        assertThat(gone).isCompleted();
    }

    @Test
    void withdraw_removalStaysUnknown_fails() {
        store.clear();
        CompletableFuture<Void> gone = bid.withdraw();
        loop.run();

        store.left.completeExceptionally(new SessionLostException("no answer"));

        assertThatThrownBy(gone::get)
                .hasCauseInstanceOf(CoordinationException.class)
                .hasMessageContaining("has not confirmed the release of election 'boss'");
    }

    @Test
    void withdraw_noSessionYet_isDoneAtOnceAndJoinsNothing() {
        all.lost();
        var early = new DefaultLineAcquisition(all.beginAcrossSessions(BOSS, UnaryOperator.identity()), candidate);
        loop.run();

        CompletableFuture<Void> gone = early.withdraw();
        loop.run();
        store.connect();

        assertThat(gone).isCompleted();
        assertThat(told).containsExactly("refused");
        assertThat(store.asked).containsExactly("open", "join elections/boss");
    }
}
