package io.baton.tck;

import static io.baton.election.ActiveStandby.State.ACTIVE;
import static io.baton.election.ActiveStandby.State.CLOSED;
import static io.baton.election.ActiveStandby.State.DEMOTING;
import static io.baton.election.ActiveStandby.State.PROMOTING;
import static io.baton.election.ActiveStandby.State.STANDBY;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.election.ActiveStandby;
import io.baton.election.Breadcrumb;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Failover as applications use it: one active node and several standbys. */
abstract class StandbyChapter extends Chapter {

    private final TckNode.Story story = new TckNode.Story();
    private @Nullable TckClient steady;

    @AfterEach
    void neverTwoWereActive() {
        assertThat(story.faults()).isEmpty();
    }

    @Test
    void active_closed_nextOneIsPromotedWithoutFencingAndNoBreadcrumbIsLeft() throws Exception {
        TckNode a = node(coordinator(), "a").awaitState(ACTIVE);
        TckNode b = node(coordinator(), "b");
        awaitStanding(2);

        a.standby().close();
        b.awaitState(ACTIVE);
        b.standby().close();

        assertThat(a.standby().state()).isEqualTo(CLOSED);
        soon().until(() -> a.states().contains(CLOSED));
        assertThat(a.states()).containsSubsequence(STANDBY, PROMOTING, ACTIVE, DEMOTING, STANDBY, CLOSED);
        assertThat(a.states()).hasSizeLessThanOrEqualTo(6);
        assertThat(story.told()).containsExactly("a promoted", "a demoted", "b promoted", "b demoted");
        assertThat(coordinator().records(ActiveStandby.BREADCRUMBS).get(TckNode.NAME))
                .isEmpty();
        awaitStanding(0);
    }

    @Test
    void active_coordinatorClosed_isDemotedFirstAndNobodyIsFenced() throws Exception {
        Coordinator closing = coordinator();
        node(closing, "a").awaitState(ACTIVE);
        TckNode b = node(coordinator(), "b");
        awaitStanding(2);

        closing.close();

        b.awaitState(ACTIVE);
        assertThat(story.told()).containsExactly("a promoted", "a demoted", "b promoted");
    }

    /**
     * If its session is ended at the store, an active node may work until it is notified. The fencer covers that time.
     */
    @Test
    void active_sessionExpired_nextOneFencesBeforeItIsPromoted() throws Exception {
        TckNode a = new TckNode(coordinator(), "a", new TckNode.Story()).start().awaitState(ACTIVE);
        long term = a.standby().status().term();
        TckNode b = node(coordinator(), "b");
        awaitStanding(2);

        store().expire(session(first()));

        b.awaitState(ACTIVE);
        assertThat(story.told()).containsExactly("b fences a", "b promoted");
        assertThat(b.fenced()).extracting(Breadcrumb::id).containsExactly("a");
        assertThat(b.fenced()).extracting(Breadcrumb::address).containsExactly("a:80");
        assertThat(b.fenced()).extracting(Breadcrumb::term).containsExactly(term);
        assertThat(b.standby().status().term()).isGreaterThan(term);
        awaitStanding(2);
    }

    @Test
    void fencer_fails_isTriedAgainWhileNobodyIsPromoted() throws Exception {
        TckNode a = new TckNode(coordinator(), "a", new TckNode.Story()).start().awaitState(ACTIVE);
        TckNode b = new TckNode(coordinator(), "b", story).failsToFence(2).start();
        awaitStanding(2);

        store().expire(session(first()));

        b.awaitState(ACTIVE);
        assertThat(story.told()).containsExactly("b cannot fence a", "b cannot fence a", "b fences a", "b promoted");
        assertThat(b.troubles()).hasSize(3).element(0).isEqualTo("");
        assertThat(b.troubles()).element(1).asString().contains("power switch");
        assertThat(b.standby().status().trouble()).isEmpty();
        a.awaitState(STANDBY);
    }

    @Test
    void active_cutOff_isDemotedBeforeTheNextOneIsPromoted() throws Exception {
        TckNode a = node(briefCoordinator(), "a").awaitState(ACTIVE);
        TckNode b = node(steadyCoordinator(), "b");
        awaitStanding(2);

        store().breakContact();

        b.awaitState(ACTIVE);
        assertThat(story.told()).containsExactly("a promoted", "a demoted", "b fences a", "b promoted");
        store().restoreContact();
        awaitStanding(2);
        a.awaitState(STANDBY);
    }

    @Test
    void active_unhealthy_handsOverAndStandsAgainOnceHealthy() throws Exception {
        TckNode a = node(coordinator(), "a").awaitState(ACTIVE);
        TckNode b = node(coordinator(), "b");
        awaitStanding(2);

        a.healthy(false);
        b.awaitState(ACTIVE);
        awaitStanding(1);
        a.healthy(true);
        awaitStanding(2);

        assertThat(b.standby().state()).isEqualTo(ACTIVE);
        assertThat(story.told()).containsExactly("a promoted", "a demoted", "b promoted");
    }

    @Test
    void promotion_neverReturns_isInterruptedAndAnotherNodeIsPromoted() throws Exception {
        TckNode a =
                new TckNode(coordinator(), "a", story).promotionHangs().start().awaitState(PROMOTING);
        TckNode b = node(coordinator(), "b");

        b.awaitState(ACTIVE);
        assertThat(story.told()).containsExactly("a demoted", "b promoted");
        assertThat(a.states()).doesNotContain(ACTIVE);
        assertThat(a.troubles()).singleElement().asString().contains("promotes");
        soon().until(() -> a.standby().status().trouble().isEmpty());
    }

    private TckNode node(Coordinator coordinator, String id) {
        return new TckNode(coordinator, id, story).start();
    }

    /** A client that sees the line through all faults. */
    private TckClient steady() {
        TckClient known = steady;
        if (known == null) {
            known = store().steadyUri().isPresent() ? steadyClient() : client();
            steady = known;
        }
        return known;
    }

    private void awaitStanding(int count) {
        TckClient client = steady();
        soon().until(() -> client.peers("elections/" + TckNode.NAME).size() == count);
    }

    private Peer first() throws InterruptedException {
        return steady().ask(session -> session.peers(Line.of("elections/" + TckNode.NAME)))
                .get(0);
    }

    private String session(Peer peer) throws InterruptedException {
        return steady().details(peer).orElseThrow().session();
    }
}
