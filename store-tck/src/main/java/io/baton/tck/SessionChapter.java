package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.spi.EventLoop;
import io.baton.spi.Link;
import io.baton.spi.Session;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A session is a client's liveness: it comes into contact, is proven, and ends exactly once. */
abstract class SessionChapter extends Chapter {

    private static final RecordKey KEY = new RecordKey("tck", "key");

    @Test
    void open_storeInReach_tellsConnected() {
        TckClient client = client();

        assertThat(client.told()).containsExactly("connected");
        assertThat(client.session().link()).isEqualTo(Link.CONNECTED);
        assertThat(client.session().id()).isNotBlank();
        assertThat(client.session().timeout()).isPositive();
    }

    @Test
    void open_ttlTooShort_isRaisedToWhatWorks() {
        TckClient client = clientWithTtl(Duration.ofMillis(1));

        soon().until(() -> client.told().contains("connected"));
        soon().until(() -> client.nanosLeft() > 0);

        assertThat(client.session().timeout()).isGreaterThan(Duration.ofMillis(1));
    }

    @Test
    void open_strictTtlTooShort_isRefusedWithAReason() {
        Store store = storeAt(store().uri());
        try (EventLoop loop = new EventLoop("tck-refused")) {
            var spec = new SessionSpec(Duration.ofMillis(1), "tck", true);
            assertThatThrownBy(() -> store.open(spec, loop, new TckListener()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 ms");
        }
    }

    @Test
    void open_withoutContact_connectsOnceThereIs() throws Exception {
        store().breakContact();
        TckClient client = clientWithoutContact();
        stays(() -> !client.told().contains("connected"));
        assertThat(client.session().link()).isEqualTo(Link.SUSPENDED);
        assertThat(client.nanosLeft()).isNotPositive();

        store().restoreContact();

        soon().until(() -> client.told().contains("connected"));
    }

    @Test
    void proof_inContact_liesAheadByNoMoreThanTheTimeout() {
        TckClient client = client();

        soon().until(() -> client.nanosLeft() > 0);

        assertThat(client.nanosLeft())
                .isLessThanOrEqualTo(client.session().timeout().toNanos());
    }

    @Test
    void prove_idleSession_getsABetterProof() {
        TckClient client = client();

        for (int i = 0; i < 3; i++) {
            var before = client.session().proof();
            int proofs = client.proofs();
            client.run(() -> client.call(() -> {
                client.session().requestProof();
                return true;
            }));
            soon().until(() -> client.session().proof().betterThan(before) && client.proofs() > proofs);
        }
    }

    @Test
    void proof_healthyHolder_neverShowsLessThanHalfTheTimeout() {
        TckClient client = briefClient();
        client.join(LINE).awaitClear();
        Duration timeout = client.session().timeout();
        soon().until(() -> client.nanosLeft() > timeout.toNanos() / 2);
        int proofs = client.proofs();

        ProofWatch watch = ProofWatch.over(timeout.multipliedBy(3), client);

        assertThat(client.proofs()).isGreaterThanOrEqualTo(proofs + 5);
        assertThat(watch.least().plus(watch.worstStall()))
                .as("the least that was left, forgiving a stall of this machine of %s", watch.worstStall())
                .isGreaterThan(timeout.dividedBy(2));
    }

    @Test
    void proof_withoutContact_runsOut() throws Exception {
        TckClient client = briefClient();
        client.join(LINE).awaitClear();

        store().breakContact();

        soon().until(() -> client.nanosLeft() <= 0);
    }

    @Test
    void close_liveSession_endsItAndIsToldOnce() throws InterruptedException {
        TckClient client = client();
        TckClient other = client();
        TckContender contender = client.join(LINE);
        contender.awaitClear();

        client.ask(Session::close);
        client.ask(Session::close);

        soon().until(() -> client.told().contains("lost"));
        assertThat(client.told()).containsExactly("connected", "lost");
        assertThat(client.session().link()).isEqualTo(Link.LOST);
        assertThat(contender.told()).containsExactly("clear", "gone");
        soon().until(() -> other.peers(LINE).isEmpty());
    }

    @Test
    void close_withoutContact_endsItHere() throws Exception {
        TckClient client = briefClient();
        TckContender contender = client.join(LINE);
        contender.awaitClear();
        store().breakContact();

        // The result depends on whether the session has noticed yet.
        soon().until(client.asking(Session::close)::isDone);

        soon().until(() -> client.told().contains("lost"));
        contender.awaitGone();
    }

    @Test
    void expiry_atTheStore_tellsEveryPlaceAndThenLost() throws Exception {
        TckClient client = client();
        TckContender holder = client.join(LINE);
        holder.awaitClear();
        TckContender waiter = client.join(LINE).awaitWaits();

        store().expire(client.session().id());

        soon().until(() -> client.told().contains("lost"));
        assertThat(client.session().link()).isEqualTo(Link.LOST);
        assertThat(holder.awaitGone()).isInstanceOf(SessionLostException.class);
        assertThat(waiter.awaitGone()).isInstanceOf(SessionLostException.class);
        assertThat(client.whyLost()).isInstanceOf(SessionLostException.class);
        assertThat(client.told()).containsOnlyOnce("lost").endsWith("lost");
    }

    @Test
    void expiry_ofOne_leavesTheOtherAlone() throws Exception {
        TckClient expiring = client();
        TckClient staying = client();
        assertThat(staying.session().id()).isNotEqualTo(expiring.session().id());
        expiring.join("locks/expiring").awaitClear();
        TckContender kept = staying.join(LINE);
        kept.awaitClear();

        store().expire(expiring.session().id());

        soon().until(() -> expiring.told().contains("lost"));
        soon().until(() -> staying.peers("locks/expiring").isEmpty());
        assertThat(staying.told()).doesNotContain("lost");
        assertThat(staying.peers(LINE)).containsExactly(kept.peer());
        assertThat(kept.told()).containsExactly("clear");
    }

    @Test
    void contact_brokenAndRestored_keepsTheEntries() throws Exception {
        TckClient client = client();
        TckContender holder = client.join(LINE);
        holder.awaitClear();
        TckContender waiter = client.join(LINE).awaitWaits();

        store().breakContact();
        soon().until(() -> client.session().link() == Link.SUSPENDED);
        store().restoreContact();
        // The link's state changes shortly before its listener is called.
        soon().untilAsserted(() ->
                assertThat(client.told()).startsWith("connected", "suspended").endsWith("connected"));
        assertThat(client.session().link()).isEqualTo(Link.CONNECTED);

        assertThat(client.peers(LINE)).hasSize(2).startsWith(holder.peer());
        assertThat(holder.told()).containsExactly("clear");
        assertThat(waiter.told()).containsExactly("waits");
        soon().until(() -> client.nanosLeft() > 0);
    }

    @Test
    void contact_brokenForLongerThanTheTimeout_endsTheSession() throws Exception {
        TckClient cutOff = briefClient();
        TckClient steady = steadyClient();
        TckContender holder = cutOff.join(LINE);
        holder.awaitClear();
        TckContender next = steady.join(LINE).awaitWaits();

        store().breakContact();
        next.awaitClear();
        assertThat(cutOff.nanosLeft(next.clearNanos()))
                .as("nanoseconds that the old holder believed to have left when the next was clear")
                .isNotPositive();
        store().restoreContact();

        assertThat(holder.awaitGone()).isInstanceOf(SessionLostException.class);
        soon().until(() -> cutOff.told().contains("lost"));
    }

    @Test
    void request_withoutContact_isAnsweredInBoundedTime() throws Exception {
        TckClient client = briefClient();
        store().breakContact();
        soon().until(() -> client.session().link() == Link.SUSPENDED);

        assertThatThrownBy(() -> client.ask(session -> session.get(KEY))).isInstanceOf(CoordinationException.class);
    }

    @Test
    void request_ofALostSession_fails() throws Exception {
        TckClient client = client();
        store().expire(client.session().id());
        soon().until(() -> client.told().contains("lost"));

        assertThatThrownBy(() -> client.ask(session -> session.get(KEY))).isInstanceOf(SessionLostException.class);
        assertThatThrownBy(() -> client.free(LINE)).isInstanceOf(SessionLostException.class);
        CompletableFuture<Void> closed = client.asking(Session::close);
        outcome(closed);
    }

    @Test
    void join_ofALostSession_isGone() throws Exception {
        TckClient client = client();
        store().expire(client.session().id());
        soon().until(() -> client.told().contains("lost"));

        TckContender late = client.join(LINE);

        assertThat(late.awaitGone()).isInstanceOf(SessionLostException.class);
        assertThat(late.told()).containsExactly("gone");
    }
}
