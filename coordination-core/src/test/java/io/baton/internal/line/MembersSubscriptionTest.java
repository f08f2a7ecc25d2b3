package io.baton.internal.line;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.session.SessionRegistry;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.LineMember;
import io.baton.recipe.LineMembers;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.support.RepeatedRefusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MembersSubscriptionTest {

    private static final Line LINE = Line.of("baton.groups/workers", Line.Kind.PERMITS);

    private final HandLoop loop = new HandLoop();
    private final ScriptedStore store = new ScriptedStore(loop);
    private final ClientLoop own = new ClientLoop(loop);
    private final SessionRegistry<MembersSubscription> all = new SessionRegistry<>(own);
    private final List<String> heard = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();
    private Subscription observed = () -> {};

    @BeforeEach
    void observe() {
        var refused =
                new RepeatedRefusal(() -> "cannot tell", (what, why) -> troubles.add(why), what -> troubles.clear());
        observed = all.add(new MembersSubscription(LINE, own, this::hear, refused));
        loop.run();
        all.connected(store);
    }

    private void hear(LineMembers members) {
        heard.add(members.members().stream()
                        .map(LineMember::payload)
                        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                        .collect(Collectors.joining(","))
                + (members.current() ? "" : "?"));
    }

    private static Peer peer(String name) {
        return new Peer(LINE, name, name.charAt(0));
    }

    private void stand(String... names) {
        store.peers.clear();
        Arrays.stream(names).map(MembersSubscriptionTest::peer).forEach(store.peers::add);
        store.peers.forEach(peer ->
                store.details.put(peer.name(), new Entry(peer, 1, peer.name().getBytes(StandardCharsets.UTF_8), "s")));
    }

    private void list(String... names) {
        stand(names);
        store.lookers.get(store.lookers.size() - 1).accept(List.copyOf(store.peers));
        loop.run();
    }

    private int asked(String what) {
        return Collections.frequency(store.asked, what);
    }

    @Test
    void members_comingAndGoing_areToldAndEachIsReadOnce() {
        list();
        list("a");
        list("a", "b");
        list("b");
        list("b", "c");

        assertThat(heard).containsExactly("", "a", "a,b", "b", "b,c");
        assertThat(asked("details a")).isEqualTo(1);
        assertThat(asked("details b")).isEqualTo(1);
    }

    @Test
    void members_listedWhileTheyAreRead_endInTheLastState() {
        store.detailsWait = true;
        list("a");
        list("a", "b");
        list("c");
        assertThat(heard).isEmpty();

        store.waitingDetails.get(0).complete(Optional.of(store.details.get("a")));
        loop.run();
        store.waitingDetails.get(1).complete(Optional.of(store.details.get("c")));
        loop.run();

        assertThat(heard).containsExactly("a", "c");
    }

    @Test
    void member_goneBeforeItIsRead_isLeftOut() {
        store.detailsWait = true;
        list("a", "b");
        store.waitingDetails.get(1).complete(Optional.of(store.details.get("b")));
        store.waitingDetails.get(0).complete(Optional.empty());
        loop.run();

        assertThat(heard).containsExactly("b");
    }

    @Test
    void read_failed_isRepeated() {
        store.detailsWait = true;
        list("a");
        store.waitingDetails.get(0).completeExceptionally(new StoreUnavailableException("not now"));
        store.detailsWait = false;
        loop.pass(Duration.ofSeconds(1));

        assertThat(heard).containsExactly("a");
    }

    @Test
    void contact_lostAndBack_isCurrentOnlyOnceTheLineWasReadAgain() {
        list("a");
        all.suspended();
        assertThat(heard).containsExactly("a", "a?");

        all.connected(store);

        assertThat(asked("peers " + LINE)).isEqualTo(1);
        assertThat(heard).containsExactly("a", "a?", "a");
    }

    @Test
    void contact_lostAndBackWithChanges_isCurrentOnceTheyAreTold() {
        list("a");
        all.suspended();
        stand("a", "b");
        all.connected(store);
        loop.pass(Duration.ofSeconds(5));
        assertThat(heard).containsExactly("a", "a?");

        list("a", "b");
        loop.pass(Duration.ofSeconds(5));

        assertThat(heard).containsExactly("a", "a?", "a,b");
    }

    /** What came and went before the observation told of it, is never told. */
    @Test
    void contact_lostAndBackWithAChangeThatIsUndone_isCurrentAgain() {
        list("a");
        all.suspended();
        stand("a", "b");
        all.connected(store);
        stand("a");
        loop.pass(Duration.ofSeconds(5));

        assertThat(heard).containsExactly("a", "a?", "a");
    }

    @Test
    void read_failsAgainAndAgain_isRepeatedEverMoreSeldomHoweverManyListingsCome() {
        store.detailsFail = true;
        for (int i = 0; i < 10; i++) {
            list("a");
        }
        store.asked.clear();
        loop.pass(Duration.ofMinutes(1));

        assertThat(asked("details a")).isBetween(5, 12);
        store.detailsFail = false;
        loop.pass(Duration.ofSeconds(10));
        assertThat(heard).containsExactly("a");
    }

    @Test
    void read_failsForTheThirdTime_isTroubleUntilItSucceeds() {
        store.detailsFail = true;
        list("a");
        loop.pass(Duration.ofMillis(200));
        assertThat(troubles).as("after the second").isEmpty();

        loop.pass(Duration.ofMillis(400));
        assertThat(troubles).containsExactly("this client may not read it");
        store.detailsFail = false;
        loop.pass(Duration.ofSeconds(10));

        assertThat(troubles).isEmpty();
        assertThat(heard).containsExactly("a");
    }

    @Test
    void read_failsWithoutContact_isNoTrouble() {
        store.detailsFail = true;
        all.suspended();
        list("a");
        loop.pass(Duration.ofMinutes(1));

        assertThat(troubles).isEmpty();
    }

    @Test
    void verify_failsForTheThirdTime_isTroubleUntilItSucceeds() {
        failToVerify();
        store.peersFail = false;
        loop.pass(Duration.ofSeconds(10));

        assertThat(troubles).isEmpty();
        assertThat(heard).endsWith("a?", "a");
    }

    @Test
    void verify_failsUntilTheSubscriptionIsClosed_isNoTroubleAnyMore() {
        failToVerify();
        observed.close();
        loop.pass(Duration.ofMinutes(1));

        assertThat(troubles).isEmpty();
    }

    @Test
    void verify_failsUntilTheSessionIsLost_isNoTroubleAnyMore() {
        failToVerify();
        all.lost();
        loop.pass(Duration.ofMinutes(1));

        assertThat(troubles).isEmpty();
    }

    private void failToVerify() {
        list("a");
        store.peersFail = true;
        all.suspended();
        all.connected(store);
        loop.pass(Duration.ofSeconds(1));
        assertThat(troubles).isNotEmpty().containsOnly("this client may not read it");
    }

    @Test
    void verify_failsAgainAndAgain_isRepeatedEverMoreSeldomHoweverOftenContactBreaks() {
        list("a");
        store.peersFail = true;
        for (int i = 0; i < 10; i++) {
            all.suspended();
            all.connected(store);
        }
        store.asked.clear();
        loop.pass(Duration.ofMinutes(1));

        assertThat(asked("peers " + LINE)).isBetween(5, 15);
        store.peersFail = false;
        loop.pass(Duration.ofSeconds(10));
        assertThat(heard).endsWith("a?", "a");
    }

    @Test
    void session_lost_isObservedInTheNext() {
        list("a");
        all.lost();
        all.connected(store);
        assertThat(heard).containsExactly("a", "a?");
        assertThat(store.lookers).hasSize(2);
        list("a");
        stand("z");
        store.lookers.get(0).accept(List.of(peer("z")));
        list("a", "b");

        assertThat(heard).containsExactly("a", "a?", "a", "a,b");
    }
}
