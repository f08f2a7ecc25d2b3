package io.baton.internal.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.LockLostException;
import io.baton.MembershipState;
import io.baton.SessionLostException;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.session.SessionRegistry;
import io.baton.recipe.ClientLoop;
import io.baton.spi.Line;
import io.baton.spi.PlaceListener;
import io.baton.spi.support.RepeatedRefusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client says of itself in a line: the newest only, not too often, and in every session. */
@Timeout(60)
class MembershipTest {

    private static final String LINE = "config.fleet";
    private static final int MAX_BYTES = 100;
    private static final String UNPROVEN = "JOINING: the store did not confirm the session before its deadline";

    private final HandLoop loop = new HandLoop();
    private final ScriptedStore store = new ScriptedStore(loop);
    private final ClientLoop own = new ClientLoop(loop);
    private final SessionRegistry<DefaultMembership> all = new SessionRegistry<>(own);
    private final List<String> troubles = new ArrayList<>();
    private final RepeatedRefusal refused =
            new RepeatedRefusal(() -> "cannot stand", (what, why) -> troubles.add(why), what -> troubles.clear());
    private final DefaultMembership presence =
            new DefaultMembership(Line.of(LINE), own, MAX_BYTES, this::changed, refused, all::forget);

    private final List<String> heard = new ArrayList<>();

    private void changed(MembershipState state, String why) {
        assertThat(presence.state()).as("the state during the call").isEqualTo(state);
        heard.add(state + (why.isEmpty() ? "" : ": " + why));
    }

    @BeforeEach
    void add() {
        all.add(presence);
        loop.run();
    }

    private void say(String news) {
        presence.publish(news.getBytes(StandardCharsets.UTF_8));
        loop.run();
    }

    private void connect() {
        all.connected(store);
        loop.run();
    }

    private int asked(String what) {
        return Collections.frequency(store.asked, what);
    }

    /** ZooKeeper would hang up, with each attempt again. */
    @Test
    void say_moreThanTheStoreTakes_isRefusedAtOnce() {
        connect();
        say("x".repeat(MAX_BYTES));
        assertThatThrownBy(() -> say("x".repeat(MAX_BYTES + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("an entry may have 100 bytes on this store; this one has 101");
    }

    @Test
    void say_first_joinsAtOnce() {
        connect();
        assertThat(store.asked).isEmpty();

        say("one");

        assertThat(store.asked).containsExactly("join " + LINE);
    }

    @Test
    void say_beforeThereIsASession_joinsWithIt() {
        say("one");
        assertThat(store.asked).isEmpty();

        connect();

        assertThat(store.asked).containsExactly("join " + LINE);
    }

    @Test
    void say_news_joinsAnewAndOnlyThenLeavesTheFormerPlace() {
        connect();
        say("one");
        store.standing.clear(store.entry());

        say("two");
        assertThat(asked("join " + LINE)).isEqualTo(1);
        loop.pass(Duration.ofSeconds(1));
        assertThat(store.asked).containsExactly("join " + LINE, "join " + LINE);
        store.standing.waiting();

        assertThat(store.asked).containsExactly("join " + LINE, "join " + LINE, "leave");
    }

    @Test
    void say_refusedAgainAndAgain_isReportedUntilItStands() {
        connect();
        say("one");
        for (int i = 1; i <= 3; i++) {
            assertThat(troubles).isEmpty();
            store.standing.lost(new CoordinationException("not allowed"));
            loop.pass(Duration.ofSeconds(30));
        }
        assertThat(troubles).containsExactly("not allowed");

        store.standing.waiting();

        assertThat(troubles).isEmpty();
    }

    @Test
    void close_refusedAgainAndAgain_isNoLongerReported() {
        connect();
        say("one");
        for (int i = 1; i <= 3; i++) {
            store.standing.lost(new CoordinationException("not allowed"));
            loop.pass(Duration.ofSeconds(30));
        }
        assertThat(troubles).isNotEmpty();

        presence.close();
        loop.run();

        assertThat(troubles).isEmpty();
    }

    @Test
    void say_aThousandTimesASecond_joinsOnceInAWhile() {
        connect();
        for (int i = 0; i < 10_000; i++) {
            say("news " + i);
            PlaceListener joined = store.standing;
            joined.waiting();
            loop.pass(Duration.ofMillis(1));
        }
        store.standing.waiting();

        assertThat(asked("join " + LINE)).isBetween(8, 11);
        assertThat(asked("leave")).isEqualTo(asked("join " + LINE) - 1);
    }

    @Test
    void say_whatIsSaidAlready_asksNothing() {
        connect();
        say("one");
        store.standing.waiting();

        say("one");
        loop.pass(Duration.ofSeconds(5));

        assertThat(store.asked).containsExactly("join " + LINE);
    }

    @Test
    void say_whileAJoinIsUnanswered_isSaidAfterIt() {
        connect();
        say("one");
        say("two");
        loop.pass(Duration.ofSeconds(5));
        assertThat(store.asked).containsExactly("join " + LINE);

        store.standing.waiting();
        loop.pass(Duration.ofSeconds(1));

        assertThat(asked("join " + LINE)).isEqualTo(2);
    }

    @Test
    void session_lost_isSaidAgainInTheNextALittleLater() {
        connect();
        say("one");
        store.standing.waiting();
        store.standing.lost(new SessionLostException("gone"));
        all.lost();
        loop.pass(Duration.ofSeconds(60));
        assertThat(asked("join " + LINE)).isEqualTo(1);

        connect();
        assertThat(asked("join " + LINE)).isEqualTo(1);
        loop.pass(Duration.ofSeconds(2));

        assertThat(asked("join " + LINE)).isEqualTo(2);
    }

    @Test
    void join_refusedAgainAndAgain_isTriedMoreAndMoreSeldom() {
        connect();
        say("one");
        for (int i = 0; i < 600; i++) {
            store.standing.lost(new SessionLostException("refused"));
            loop.pass(Duration.ofSeconds(1));
        }

        assertThat(asked("join " + LINE)).isBetween(10, 40);
    }

    @Test
    void close_standingAndJoining_leavesBothAndSaysNothingMore() {
        connect();
        say("one");
        store.standing.waiting();
        say("two");
        loop.pass(Duration.ofSeconds(1));
        store.left.complete(null);

        var closed = presence.close();
        loop.run();
        say("three");
        loop.pass(Duration.ofSeconds(5));

        assertThat(asked("leave")).isEqualTo(2);
        assertThat(asked("join " + LINE)).isEqualTo(2);
        assertThat(closed).isCompleted();
        assertThat(loop.timers()).isZero();
    }

    @Test
    void close_ofTheClient_joinsNoMore() {
        connect();
        say("one");
        store.standing.waiting();
        say("two");

        all.close();
        loop.pass(Duration.ofSeconds(5));

        assertThat(store.asked).containsExactly("join " + LINE);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void state_joinedAndContactLost_isCertainUntilTheDeadline() {
        connect();
        say("one");
        assertThat(presence.state()).isEqualTo(MembershipState.JOINING);
        assertThat(presence.remaining()).isZero();

        store.standing.waiting();
        assertThat(presence.state()).isEqualTo(MembershipState.JOINED);
        assertThat(presence.remaining()).isPositive();
        all.suspended();
        assertThat(presence.state()).isEqualTo(MembershipState.JEOPARDY);
        loop.pass(presence.remaining().minusMillis(1));
        assertThat(presence.state()).isEqualTo(MembershipState.JEOPARDY);
        loop.pass(Duration.ofMillis(1));

        assertThat(presence.remaining()).isZero();
        assertThat(heard).containsExactly("JOINED", "JEOPARDY", UNPROVEN);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void state_processFrozenPastTheDeadline_isJoiningAtTheFirstLook() {
        connect();
        say("one");
        store.standing.clear(store.entry());
        loop.freeze(presence.remaining());

        assertThat(presence.state()).isEqualTo(MembershipState.JOINING);
        assertThat(presence.remaining()).isZero();
    }

    /** As after a sleep of the machine: as with a hold, only the store says whether the session lives. */
    @Test
    void state_wallClockGained_isInJeopardyWithNothingLeftUntilItIsProven() {
        connect();
        say("one");
        store.standing.clear(store.entry());
        Duration left = presence.remaining();

        loop.jumpWall(Duration.ofHours(1));

        assertThat(presence.state()).isEqualTo(MembershipState.JEOPARDY);
        assertThat(presence.remaining()).isZero();
        prove(left);
        assertThat(presence.state()).isEqualTo(MembershipState.JOINED);
        assertThat(heard).containsExactly("JOINED");
    }

    @Test
    void state_wallClockGainedAndNotProven_isLostAtTheDeadline() {
        connect();
        say("one");
        store.standing.clear(store.entry());
        Duration left = presence.remaining();
        loop.jumpWall(Duration.ofHours(1));

        loop.pass(left);

        assertThat(heard).containsExactly("JOINED", UNPROVEN);
    }

    /** The answer is there before the timer has fired: the entry stood, but for a while that was not certain. */
    @Test
    void proven_processFrozenPastTheDeadline_tellsTheLoss() {
        connect();
        say("one");
        store.standing.clear(store.entry());
        Duration left = presence.remaining();
        loop.freeze(left);

        store.proveFor(left);
        all.proven();

        assertThat(heard).containsExactly("JOINED", UNPROVEN, "JOINED");
        loop.pass(left.minusMillis(1));
        assertThat(heard).hasSize(3);
        loop.pass(Duration.ofMillis(1));
        assertThat(heard).hasSize(4).last().isEqualTo(UNPROVEN);
    }

    @Test
    void proven_again_movesTheDeadlineAndComesBackFromAPassedOne() {
        connect();
        say("one");
        store.standing.clear(store.entry());
        Duration left = presence.remaining();
        loop.pass(left.dividedBy(2));
        prove(left);
        loop.pass(left.dividedBy(2));
        assertThat(heard).containsExactly("JOINED");

        loop.pass(left);
        assertThat(presence.state()).isEqualTo(MembershipState.JOINING);
        prove(left);

        assertThat(presence.state()).isEqualTo(MembershipState.JOINED);
        assertThat(heard).hasSize(3).first().isEqualTo("JOINED");
        assertThat(heard.get(2)).isEqualTo("JOINED");
        assertThat(asked("join " + LINE)).isEqualTo(1);
    }

    private void prove(Duration left) {
        store.proveFor(left);
        all.proven();
        loop.run();
    }

    @Test
    void state_entryRemovedOrSessionLost_isToldWithTheReasonAndJoinedAgain() {
        connect();
        say("one");
        store.standing.waiting();
        store.standing.lost(new LockLostException("somebody removed it"));
        loop.pass(Duration.ofSeconds(2));
        store.standing.waiting();
        all.lost();
        connect();
        loop.pass(Duration.ofSeconds(2));
        store.standing.waiting();

        assertThat(heard)
                .containsExactly(
                        "JOINED", "JOINING: somebody removed it", "JOINED", "JOINING: the session has ended", "JOINED");
        assertThat(asked("join " + LINE)).isEqualTo(3);
    }

    @Test
    void publish_again_staysJoined() {
        connect();
        say("one");
        store.standing.waiting();
        say("two");
        loop.pass(Duration.ofSeconds(1));
        PlaceListener second = store.standing;
        second.waiting();

        assertThat(heard).containsExactly("JOINED");
    }

    @Test
    void close_isFinal() {
        connect();
        say("one");
        store.standing.waiting();
        var unused = presence.close();
        loop.run();

        assertThat(heard).containsExactly("JOINED", "CLOSED");
        assertThat(presence.remaining()).isZero();
    }
}
