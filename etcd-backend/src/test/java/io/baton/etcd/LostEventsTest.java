package io.baton.etcd;

import static io.baton.etcd.HandSession.LINE;
import static io.baton.etcd.HandSession.other;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.RecordKey;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which of an audit's findings are removals that the session should have been told of, answer by answer. */
class LostEventsTest {

    private static final String AHEAD = LINE + "7-aa";

    private final HandSession hand = new HandSession();
    private final HandWire wire = hand.wire;

    @Test
    void audit_watchedEntryGoneAndNotTold_isCountedAndTheWaiterGoesOn() {
        LinePlace place = joinBehind();
        wire.watch().create();
        hand.listed(20, 21, other("7-aa", 15));

        place.entriesAhead().audit(Map.of(place.key(), 20L));

        assertThat(hand.session.lostEvents().count()).isOne();
        assertThat(hand.session.lostEvents().newest()).isEqualTo(AHEAD);
        assertThat(wire.asked()).singleElement().asString().contains("newest");
    }

    @Test
    void audit_allStand_isNotCounted() {
        LinePlace place = joinBehind();
        wire.watch().create();
        hand.listed(20, 21, other("7-aa", 15));

        place.entriesAhead().audit(Map.of(place.key(), 20L, AHEAD, 15L));

        assertThat(hand.session.lostEvents().count()).isZero();
    }

    @Test
    void audit_watchIsNotThereYet_isNotCounted() {
        LinePlace place = joinBehind();

        place.entriesAhead().audit(Map.of(place.key(), 20L));

        assertThat(hand.session.lostEvents().count()).isZero();
    }

    @Test
    void audit_readIsUnderWay_isNotCounted() {
        LinePlace place = joinBehind();
        wire.watch().create();
        assertThat(wire.asked()).singleElement().asString().contains("newest");

        place.entriesAhead().audit(Map.of(place.key(), 20L));

        assertThat(hand.session.lostEvents().count()).isZero();
    }

    @Test
    void audit_readWaitsForItsTurn_isNotCounted() {
        LinePlace place = joinBehind();
        for (int i = 0; i < RequestWindow.LIMIT; i++) {
            hand.session.get(new RecordKey("stock", "item"));
        }
        wire.watch().create();
        assertThat(hand.session.window().queued()).isOne();

        place.entriesAhead().audit(Map.of(place.key(), 20L));

        assertThat(hand.session.lostEvents().count()).isZero();
    }

    @Test
    void audit_ownEntryGoneToo_isNotCounted() {
        LinePlace place = joinBehind();
        wire.watch().create();
        hand.listed(20, 21, other("7-aa", 15));

        place.entriesAhead().audit(Map.of());

        assertThat(hand.session.lostEvents().count()).isZero();
    }

    private LinePlace joinBehind() {
        LinePlace place = hand.join("a");
        hand.joinedBehind(20, other("7-aa", 15));
        assertThat(hand.told).containsExactly("a waits");
        return place;
    }
}
