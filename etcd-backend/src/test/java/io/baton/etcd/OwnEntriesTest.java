package io.baton.etcd;

import static io.baton.etcd.HandSession.LINE;
import static io.baton.etcd.HandSession.OWN;
import static io.baton.etcd.HandSession.other;
import static io.baton.etcd.HandSession.own;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Kv;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Several places of one session in one line, answer by answer. */
class OwnEntriesTest {

    private static final String READ_OF_THE_LINE = "look at " + LINE + "* newest 4";

    private final HandSession hand = new HandSession();
    private final HandWire wire = hand.wire;

    @Test
    void join_ownEntryStands_readsNobodyAndWaitsForNothing() {
        hand.join("a");
        hand.joinedBehind(20);
        hand.join("b");
        assertThat(wire.asked())
                .singleElement()
                .asString()
                .contains("put " + LINE)
                .doesNotContain("newest");

        hand.joined(21);

        assertThat(hand.told).containsExactly("a clear 20", "b waits");
        assertThat(wire.asked()).isEmpty();
        assertThat(wire.watching()).isZero();
    }

    @Test
    void ownEntryAhead_removed_theRemovalReadsForTheNextOneWhichIsGrantedByThatOnly() {
        LinePlace a = hand.join("a");
        hand.joinedBehind(20);
        hand.join("b");
        hand.joined(21);

        a.leave();
        assertThat(wire.asked()).singleElement().asString().contains("delete " + a.key(), READ_OF_THE_LINE);
        assertThat(hand.told).doesNotContain("b clear 21");
        hand.removalAnswered(30, 21);

        assertThat(hand.told).containsExactly("a clear 20", "b waits", "b clear 21");
    }

    @Test
    void ownEntryAhead_removedAndOthersBetween_theNextOneFollowsTheLine() {
        LinePlace a = hand.join("a");
        hand.joinedBehind(20);
        hand.join("b");
        hand.joined(23);

        hand.handedOver(a, 30, 23, other("7-aa", 22), other("7-bb", 21));

        assertThat(wire.watch().range.key()).isEqualTo(LINE);
        assertThat(wire.watch().range.prefix()).isTrue();
        assertThat(hand.told).containsExactly("a clear 20", "b waits");
    }

    @Test
    void ownEntryAhead_isBeingRemoved_theNextOneWaitsUntilThatIsCertain() {
        LinePlace a = hand.join("a");
        hand.joinedBehind(20);
        hand.join("b");
        hand.joined(21);
        a.leave();
        wire.pass(Duration.ZERO);

        wire.fail(Code.LOST, "no answer in time");
        assertThat(wire.asked()).isEmpty();
        wire.pass(Duration.ofSeconds(1));
        assertThat(wire.asked()).singleElement().asString().contains("delete " + a.key());
        hand.removalAnswered(30, 21);

        assertThat(hand.told).endsWith("b clear 21");
    }

    @Test
    void join_answeredBeforeTheOneAhead_readsAndStopsToWatchOnceThatIsKnownToStand() {
        LinePlace a = hand.join("a");
        hand.join("b");
        wire.overtake();
        hand.joined(21);
        assertThat(wire.asked()).hasSize(2);
        assertThat(wire.asked().get(1)).contains(READ_OF_THE_LINE);
        wire.overtake();
        hand.listed(21, 22, other("4d-x", 20));
        assertThat(wire.watching()).isOne();

        hand.joinedBehind(20);
        assertThat(wire.watching()).isZero();
        assertThat(hand.told).containsExactly("b waits", "a clear 20");
        hand.handedOver(a, 30, 21);

        assertThat(hand.told).containsExactly("b waits", "a clear 20", "b clear 21");
    }

    @Test
    void join_ownEntryAheadIsGoneByTheTimeOfTheAnswer_readsBeforeItIsGranted() {
        LinePlace a = hand.join("a");
        hand.joinedBehind(20);
        hand.join("b");
        wire.overtake();
        a.leave();
        wire.pass(Duration.ZERO);
        wire.overtake();
        wire.answer(30, HandWire.part());

        hand.joined(21);

        assertThat(hand.told).containsExactly("a clear 20");
        assertThat(wire.asked()).singleElement().asString().contains(READ_OF_THE_LINE);
        hand.listed(21, 31);
        assertThat(hand.told).containsExactly("a clear 20", "b clear 21");
    }

    @Test
    void leave_inTheMiddle_movesNobodyAndTheLastFollowsTheFirst() {
        LinePlace a = hand.join("a");
        hand.joinedBehind(20);
        LinePlace b = hand.join("b");
        hand.joined(21);
        hand.join("c");
        hand.joined(22);

        hand.left(b, 30);
        assertThat(wire.asked()).isEmpty();
        hand.handedOver(a, 31, 22);

        assertThat(hand.told).containsExactly("a clear 20", "b waits", "c waits", "c clear 22");
    }

    @Test
    void first_removedByAnother_isFoundByTheHeartbeatAndTheNextOneReads() {
        LinePlace a = hand.join("a");
        hand.joinedBehind(20);
        hand.join("b");
        hand.joined(21);
        wire.pass(Duration.ZERO);
        hand.renewed();
        assertThat(wire.asked()).containsExactly("look at " + OWN + ", look at " + a.key());

        wire.answer(30, own(), HandWire.part());

        assertThat(hand.told).containsExactly("a clear 20", "b waits", "a gone");
        hand.listed(21, 31);
        assertThat(hand.told).endsWith("b clear 21");
    }

    @Test
    void first_waitsForAnother_theOthersWaitForTheFirstOnly() {
        LinePlace a = hand.join("a");
        hand.joinedBehind(20, other("7-aa", 15), other("7-bb", 12));
        wire.watch().create();
        hand.listed(20, 21, other("7-aa", 15), other("7-bb", 12));
        hand.join("b");
        hand.joined(22);
        assertThat(wire.watching()).isOne();

        wire.watch().tell(HandWire.gone(LINE + "7-aa", 30), HandWire.gone(LINE + "7-bb", 31));
        assertThat(hand.told).containsExactly("a waits", "b waits", "a clear 20");
        hand.handedOver(a, 32, 22);

        assertThat(hand.told).endsWith("b clear 22");
    }

    @Test
    void join_lostInTheMiddleAndApplied_takesItsPlaceInTheOrder() {
        LinePlace a = hand.join("a");
        hand.joinedBehind(20);
        LinePlace b = hand.join("b");
        hand.join("c");
        wire.fail(Code.LOST, "no answer in time");
        hand.joined(22);
        wire.answer(23, HandWire.part()); // the epoch is raised
        assertThat(wire.asked()).containsExactly("look at " + b.key());
        wire.answer(24, HandWire.part(other("4d-x", 21)));
        assertThat(hand.told).containsExactly("a clear 20", "c waits", "b waits");
        assertThat(wire.asked()).isEmpty();

        hand.handedOver(a, 30, 21);

        assertThat(hand.told).endsWith("b clear 21");
        assertThat(wire.asked()).isEmpty();
    }

    @Test
    void connect_again_onlyTheFirstOneLooks() {
        hand.join("a");
        hand.joinedBehind(20, other("7-aa", 15));
        for (int i = 0; i < 5; i++) {
            hand.join("more");
            hand.joined(21 + i);
        }
        hand.disconnect();

        hand.connect();

        assertThat(wire.asked()).singleElement().asString().contains("look at " + LINE + "* newest");
    }

    @Test
    void ownEntryAhead_goneBeforeItsRemoval_theNextOneReadsAnew() {
        LinePlace a = hand.join("a");
        hand.joinedBehind(20);
        hand.join("b");
        hand.joined(21);
        a.leave();

        wire.refuse(30);

        assertThat(hand.told).doesNotContain("b clear 21");
        assertThat(wire.asked()).singleElement().asString().contains(READ_OF_THE_LINE);
        hand.listed(21, 31);
        assertThat(hand.told).endsWith("b clear 21");
    }

    @Test
    void ownEntryAhead_removedAndTheNextOneHasGone_isToldSo() {
        LinePlace a = hand.join("a");
        hand.joinedBehind(20);
        hand.join("b");
        hand.joined(21);
        a.leave();

        wire.answer(30, HandWire.part(), own(), HandWire.part(), HandWire.part());

        assertThat(hand.told).containsExactly("a clear 20", "b waits", "b gone");
    }

    @Test
    void ownEntryAhead_removedAndTheNextOneLeftMeanwhile_theOneBehindThatReads() {
        LinePlace a = hand.join("a");
        hand.joinedBehind(20);
        LinePlace b = hand.join("b");
        hand.joined(21);
        hand.join("c");
        hand.joined(22);
        a.leave();
        b.leave();
        wire.pass(Duration.ZERO);

        hand.removalAnswered(30, 21);
        assertThat(hand.told).doesNotContain("b clear 21", "c clear 22");
        wire.answer(31, HandWire.part());

        assertThat(wire.asked()).singleElement().asString().contains(READ_OF_THE_LINE);
    }

    @Test
    void join_answeredBeforeTheOneAhead_isToldThatItWaits() {
        hand.join("a");
        hand.join("b");
        wire.overtake();
        hand.joined(21);

        hand.joinedBehind(20);
        hand.listed(21, 22);

        assertThat(hand.told).containsExactly("b waits", "a clear 20");
    }

    @Test
    void removal_refusedForWhatItReads_isRepeatedWithoutThat() {
        LinePlace a = hand.join("a");
        hand.joinedBehind(20);
        hand.join("b");
        hand.joined(21);
        a.leave();
        wire.fail(Code.DENIED, "permission denied");

        for (int second = 0; second < 5 && wire.asked().isEmpty(); second++) {
            wire.pass(Duration.ofSeconds(1));
        }

        assertThat(wire.asked())
                .anySatisfy(
                        asked -> assertThat(asked).contains("delete " + a.key()).doesNotContain(READ_OF_THE_LINE));
    }

    @Test
    void removed_byATransactionOfOurs_theNextOneReads() {
        LinePlace a = hand.join("a");
        hand.joinedBehind(20);
        hand.join("b");
        hand.joined(21);

        hand.session.removed(java.util.List.of(new EtcdWire.Compare.Created(a.key(), 20)));

        assertThat(hand.told).containsExactly("a clear 20", "b waits", "a gone");
        assertThat(wire.asked()).singleElement().asString().contains(READ_OF_THE_LINE);
    }

    @Test
    void audit_ownEntryInTheMiddleRemovedByAnother_isToldAndMovesNobody() {
        LinePlace a = hand.join("a");
        hand.joinedBehind(20);
        LinePlace b = hand.join("b");
        hand.joined(21);
        LinePlace c = hand.join("c");
        hand.joined(22);
        String audit = "look at " + OWN + ", look at " + b.key() + ", look at " + c.key();
        for (int second = 0; second < 60 && !wire.asked().contains(audit); second++) {
            wire.pass(Duration.ofSeconds(1));
            while (!wire.renewals.isEmpty()) {
                hand.renewed();
            }
            if (!wire.asked().isEmpty() && !wire.asked().contains(audit)) {
                wire.answer(30, own(), HandWire.part(HandWire.kv(a.key(), "", 20, 20)));
            }
        }
        while (!wire.asked().get(0).equals(audit)) {
            wire.overtake();
        }

        wire.answer(30, own(), HandWire.part(), HandWire.part(HandWire.kv(c.key(), "", 22, 22)));

        assertThat(hand.told).containsExactly("a clear 20", "b waits", "c waits", "b gone");
        assertThat(wire.asked()).noneMatch(asked -> asked.contains(READ_OF_THE_LINE));
    }

    @Test
    void keen_twoAhead_heartbeatsLookAtTheEntryOnceItIsNext() {
        LinePlace a = hand.join("a");
        Kv holder = other("7-aa", 15);
        hand.joinedBehind(20, other("7-bb", 16), holder);
        wire.pass(Duration.ZERO);
        hand.renewed();
        assertThat(wire.asked()).isEmpty();

        wire.watch().create();
        hand.listed(20, 21, holder);
        wire.pass(HandSession.TTL.dividedBy(4));
        hand.renewed();

        assertThat(wire.asked()).containsExactly("look at " + OWN + ", look at " + a.key());
    }
}
