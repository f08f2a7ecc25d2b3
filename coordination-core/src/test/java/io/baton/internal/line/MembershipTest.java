package io.baton.internal.line;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.SessionLostException;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.session.SessionRegistry;
import io.baton.recipe.ClientLoop;
import io.baton.spi.Line;
import io.baton.spi.PlaceListener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client says of itself in a line: the newest only, not too often, and in every session. */
@Timeout(60)
class MembershipTest {

    private static final String LINE = "config.fleet";

    private final HandLoop loop = new HandLoop();
    private final ScriptedStore store = new ScriptedStore(loop);
    private final ClientLoop own = new ClientLoop(loop);
    private final SessionRegistry<DefaultMembership> all = new SessionRegistry<>(own);
    private final DefaultMembership presence = new DefaultMembership(Line.of(LINE), own, all::forget);

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
}
