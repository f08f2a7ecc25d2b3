package io.baton.internal.line;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Subscription;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.session.SessionRegistry;
import io.baton.recipe.ClientLoop;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who stands first in a line, from session to session, on sessions whose every word is the test's. */
@Timeout(60)
class HeadSubscriptionTest {

    private static final Line LINE = Line.of("elections/boss");
    private static final String OBSERVE = "observe " + LINE;
    private static final String FORGET = "forget " + LINE;

    private final HandLoop loop = new HandLoop();
    private final SessionRegistry<HeadSubscription> all = new SessionRegistry<>(new ClientLoop(loop));
    private final ScriptedStore first = new ScriptedStore(loop);
    private final ScriptedStore second = new ScriptedStore(loop);
    private final List<String> told = new ArrayList<>();

    @Test
    void add_noSessionYet_observesOnceThereIsOne() {
        add();
        assertThat(first.asked).isEmpty();

        all.connected(first);

        assertThat(first.asked).containsExactly(OBSERVE);
    }

    @Test
    void add_thereIsASession_observesInIt() {
        all.connected(first);

        add();

        assertThat(first.asked).containsExactly(OBSERVE);
    }

    @Test
    void add_sessionHasEnded_observesInTheNext() {
        all.connected(first);
        all.lost();

        add();
        assertThat(first.asked).isEmpty();
        all.connected(second);

        assertThat(second.asked).containsExactly(OBSERVE);
    }

    @Test
    void ready_sameSessionInContactAgain_doesNotObserveAgain() {
        add();
        all.connected(first);

        all.connected(first);

        assertThat(first.asked).containsExactly(OBSERVE);
    }

    @Test
    void head_nobodyToBeginWith_isTold() {
        add();
        all.connected(first);

        tell(first, null);

        assertThat(told).containsExactly("nobody");
    }

    @Test
    void head_each_isToldInOrder() {
        add();
        all.connected(first);

        tell(first, entry("a", 5, 0, ""));
        tell(first, null);
        tell(first, entry("b", 7, 0, ""));

        assertThat(told).containsExactly("a 5", "nobody", "b 7");
    }

    @Test
    void head_sameInTheNextSession_isNotToldAgain() {
        add();
        all.connected(first);
        tell(first, entry("a", 5, 0, ""));

        next();
        tell(second, entry("a", 5, 1, ""));

        assertThat(told).containsExactly("a 5");
    }

    @Test
    void head_nobodyInBothSessions_isToldOnce() {
        add();
        all.connected(first);
        tell(first, null);

        next();
        tell(second, null);

        assertThat(told).containsExactly("nobody");
    }

    @Test
    void head_anotherInTheNextSession_isTold() {
        add();
        all.connected(first);
        tell(first, entry("a", 5, 0, ""));

        next();
        tell(second, entry("a", 7, 0, ""));
        tell(second, entry("b", 7, 0, ""));
        tell(second, entry("b", 7, 0, "!"));

        assertThat(told).containsExactly("a 5", "a 7", "b 7", "b 7!");
    }

    @Test
    void head_goneInTheNextSession_isTold() {
        add();
        all.connected(first);
        tell(first, entry("a", 5, 0, ""));

        next();
        tell(second, null);

        assertThat(told).containsExactly("a 5", "nobody");
    }

    @Test
    void head_lateWordOfTheFormerSession_isNotHeard() {
        add();
        all.connected(first);
        next();

        tell(first, entry("a", 5, 0, ""));
        tell(second, null);

        assertThat(told).containsExactly("nobody");
    }

    @Test
    void sessionLost_observation_isNotEndedInTheStore() {
        add();
        all.connected(first);

        next();

        assertThat(first.asked).containsExactly(OBSERVE);
        assertThat(second.asked).containsExactly(OBSERVE);
    }

    @Test
    void close_subscription_endsItInTheStoreAndTellsNothingMore() {
        Subscription subscription = add();
        all.connected(first);

        subscription.close();
        loop.run();
        tell(first, null);

        assertThat(first.asked).containsExactly(OBSERVE, FORGET);
        assertThat(told).isEmpty();
        next();
        assertThat(second.asked).isEmpty();
    }

    @Test
    void close_oneOfTwo_leavesTheOther() {
        Subscription one = add();
        add();
        all.connected(first);

        one.close();
        loop.run();
        first.heads.forEach(head -> head.head(Optional.empty()));

        assertThat(first.asked).containsExactly(OBSERVE, OBSERVE, FORGET);
        assertThat(told).containsExactly("nobody");
    }

    @Test
    void close_all_endsThemAndTakesNoMore() {
        add();
        all.connected(first);

        all.close();
        add();
        tell(first, null);

        assertThat(first.asked).containsExactly(OBSERVE, FORGET);
        assertThat(told).isEmpty();
    }

    private Subscription add() {
        Subscription added = all.add(new HeadSubscription(
                LINE,
                head -> told.add(head.map(entry -> entry.peer().name() + " " + entry.token()
                                + new String(entry.payload(), StandardCharsets.UTF_8))
                        .orElse("nobody"))));
        loop.run();
        return added;
    }

    /** The first session ends, and another begins. */
    private void next() {
        all.lost();
        all.connected(second);
    }

    private static void tell(ScriptedStore store, Entry head) {
        store.heads.get(0).head(Optional.ofNullable(head));
    }

    private static Entry entry(String name, long token, long order, String payload) {
        return new Entry(new Peer(LINE, name, order), token, payload.getBytes(StandardCharsets.UTF_8), "");
    }
}
