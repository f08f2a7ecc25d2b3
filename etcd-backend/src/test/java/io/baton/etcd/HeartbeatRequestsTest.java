package io.baton.etcd;

import static io.baton.etcd.HandSession.OWN;
import static io.baton.etcd.HandSession.TTL;
import static io.baton.etcd.HandSession.own;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.spi.Line;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one entry that cannot be read costs the others that are read with it: nothing. */
class HeartbeatRequestsTest {

    private static final int LOCKS = 5;
    private static final String LOOK = "look at ";

    private final HandSession hand = new HandSession();
    private final HandWire wire = hand.wire;
    private final List<LinePlace> places = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private String missing = "";
    private int removals;

    @BeforeEach
    void hold() {
        wire.pass(Duration.ZERO);
        hand.renewed();
        for (int i = 0; i < LOCKS; i++) {
            places.add((LinePlace) hand.session.join(Line.of("locks/lock-" + i), new byte[0], new NotedStanding(told)));
            wire.answer(
                    20 + i,
                    HandWire.part(),
                    HandWire.part(HandWire.kv(places.get(i).key(), "", 20 + i, 20 + i)));
        }
        assertThat(told).hasSize(LOCKS).allMatch(what -> what.startsWith("clear"));
        told.clear();
        assertThat(beat(asked -> false)).isOne();
    }

    @Test
    void beat_oneEntryMayNotBeRead_isGivenUpAfterATimeToLiveAndNothingElseIs() {
        Predicate<String> denied = asked -> asked.contains(places.get(3).key());
        for (int i = 0; i < 7; i++) {
            long before = hand.session.proof().sentNanos();
            beat(denied);
            assertThat(hand.session.proof().sentNanos()).isGreaterThan(before);
        }
        assertThat(told).isEmpty();
        assertThat(hand.listener.troubles)
                .hasEntrySatisfying(
                        "Cannot see whether " + places.get(3).key() + " still stands",
                        why -> assertThat(why).contains("said by hand", "given up", TTL.toSeconds() + " s"));

        missing = places.get(4).key();
        beat(denied);
        beat(denied);

        assertThat(told).hasSize(2);
        assertThat(hand.listener.troubles).isEmpty();
        assertThat(places).filteredOn(LinePlace::stands).containsExactly(places.get(0), places.get(1), places.get(2));
    }

    /** It was certain a moment ago, and so may be at work for a time to live. */
    @Test
    void beat_holderIsGivenUp_itsEntryStaysForAsLongAsItMayBeAtWork() {
        Predicate<String> denied = asked -> asked.contains(places.get(3).key());
        for (int i = 0; i < 8 && told.isEmpty(); i++) {
            beat(denied);
        }
        assertThat(told).hasSize(1);

        for (int i = 0; i < 3; i++) {
            beat(asked -> false);
        }
        assertThat(removals).isZero();

        beat(asked -> false);
        beat(asked -> false);
        assertThat(removals).isOne();
    }

    @Test
    void beat_entryMayNotBeReadForAWhile_staysAndIsReadWithTheOthersAgain() {
        for (int i = 0; i < 3; i++) {
            beat(asked -> asked.contains(places.get(0).key()));
        }
        assertThat(hand.listener.troubles).hasSize(1);
        for (int i = 0; i < 3; i++) {
            beat(asked -> false);
        }
        assertThat(beat(asked -> false)).isOne();
        assertThat(hand.listener.troubles).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void beat_noEntryMayBeRead_theSessionIsProvenByItsOwnKey() {
        for (int i = 0; i < 3; i++) {
            long before = hand.session.proof().sentNanos();
            beat(asked -> asked.contains("locks"));
            assertThat(hand.session.proof().sentNanos()).isGreaterThan(before);
        }
        assertThat(told).isEmpty();
    }

    @Test
    void beat_serverTakesFewerOperations_readsSoManyWithEachBeat() {
        for (int i = 0; i < 10; i++) {
            long before = hand.session.proof().sentNanos();
            answerAll(asked -> asked.split(LOOK, -1).length - 1 > 3, Code.TOO_LARGE);
            assertThat(hand.session.proof().sentNanos()).isGreaterThan(before);
        }
        assertThat(told).isEmpty();
        assertThat(beat(asked -> false)).isEqualTo(3);
    }

    /** A member that knows of no such lease may lag behind: the session's own key tells. */
    @Test
    void beat_leaseIsGoneByThisMembersAccount_looksForTheOwnKeyAndAtNothingElse() {
        renewalIsDue();
        wire.renewals.remove().accept(Fault.NONE, new Lease(HandWire.header(21), HandWire.LEASE, Duration.ZERO));
        assertThat(wire.asked()).containsExactly(LOOK + OWN);
        wire.answer(30, own());

        renewalIsDue();
        wire.renewals.remove().accept(new Fault(Code.NO_LEASE, "etcdserver: requested lease not found"), null);
        assertThat(wire.asked()).containsExactly(LOOK + OWN);
        wire.answer(30, own());
        assertThat(told).isEmpty();
    }

    @Test
    void beat_ownKeyIsGone_isTheEndOfAllPlaces() {
        renewalIsDue();
        hand.renewed();
        wire.answer(30, parts(wire.asked().get(0).replace(OWN, "/app/gone")));

        assertThat(told).hasSize(LOCKS);
    }

    /** The key written anew is another entry, and perhaps another's. */
    @Test
    void beat_entryWrittenAnewByAnother_isGone() {
        renewalIsDue();
        hand.renewed();
        Part[] parts = parts(wire.asked().get(0));
        parts[2] = HandWire.part(HandWire.kv(places.get(1).key(), "", 99, 99));
        wire.answer(30, parts);

        assertThat(told).hasSize(1);
        assertThat(places).filteredOn(place -> !place.stands()).containsExactly(places.get(1));
    }

    /** A member that was of another mind is asked once more about each place, and then about all together. */
    @Test
    void beat_onAnotherConnection_readsApartOnceMore() {
        beat(asked -> asked.contains(places.get(3).key()));
        hand.disconnect();
        hand.contact();
        answerOpen(asked -> false, Code.DENIED);
        assertThat(beat(asked -> false)).isGreaterThan(1);
        assertThat(beat(asked -> false)).isOne();
        assertThat(told).isEmpty();
    }

    /** Connections that break sooner than that do not keep it for ever. */
    @Test
    void beat_entryMayNotBeReadOnAnyOfManyConnections_isGivenUpAfterATimeToLive() {
        Predicate<String> denied = asked -> asked.contains(places.get(3).key());
        int beats = 0;
        for (; told.isEmpty() && beats < 20; beats++) {
            beat(denied);
            hand.disconnect();
            hand.contact();
            answerOpen(denied, Code.DENIED);
        }
        assertThat(told).containsExactly("gone");
        assertThat(beats).isBetween(5, 8);
    }

    /** The lease may outlive a long break; whether the entry has is then as uncertain as before. */
    @Test
    void beat_entryMayNotBeReadBeforeAndAfterALongBreak_isGivenUpAtOnce() {
        Predicate<String> denied = asked -> asked.contains(places.get(3).key());
        for (int i = 0; i < 4; i++) {
            beat(denied);
        }
        assertThat(told).isEmpty();
        hand.disconnect();
        wire.pass(TTL);
        hand.contact();
        answerOpen(denied, Code.DENIED);
        beat(denied);

        assertThat(told).containsExactly("gone");
    }

    /** What another client has deleted during a break is noticed by the first beat, however many are read apart. */
    @Test
    void beat_firstOnAConnection_looksAtAllThatAreReadApart() {
        for (int i = LOCKS; i < 150; i++) {
            places.add((LinePlace) hand.session.join(Line.of("locks/lock-" + i), new byte[0], new NotedStanding(told)));
            String key = places.get(i).key();
            wire.answer(30, HandWire.part(), HandWire.part(HandWire.kv(key, "", 30, 30)));
        }
        told.clear();
        int requests = 0;
        for (int i = 0; i < 30 && requests <= 64; i++) {
            requests = beat(asked -> asked.contains("locks") && asked.split(", ").length > 2);
        }
        assertThat(requests).isGreaterThan(64);
        hand.disconnect();
        hand.contact();
        answerOpen(asked -> false, Code.DENIED);

        renewalIsDue();
        hand.renewed();
        String all = String.join(", ", wire.asked());
        assertThat(places).allSatisfy(place -> assertThat(all).contains(place.key()));
    }

    @Test
    void beat_someAreReadApart_eachIsReadOnce() {
        Predicate<String> denied = asked -> asked.contains(places.get(3).key());
        for (int i = 0; i < 4; i++) {
            renewalIsDue();
            hand.renewed();
            String all = String.join(", ", wire.asked());
            assertThat(places).allSatisfy(place -> assertThat(all).containsOnlyOnce(place.key()));
            answerOpen(denied, Code.DENIED);
        }
    }

    @Test
    void beat_oneThatIsReadApartHasLeft_isNotReadAnyMore() {
        beat(asked -> asked.contains(places.get(3).key()));
        beat(asked -> asked.contains(places.get(3).key()));
        beat(asked -> asked.contains(places.get(3).key()));
        places.get(3).leave();
        wire.pass(Duration.ZERO);
        wire.answer(30, new Part(List.of(), 1));

        // The other one that was refused with it is still read apart.
        assertThat(beat(asked -> false)).isEqualTo(2);
        assertThat(beat(asked -> false)).isOne();
    }

    @Test
    void beat_leftWhileItsRefusalIsOnTheWay_noTroubleStays() {
        Predicate<String> denied = asked -> asked.contains(places.get(3).key()) && !asked.contains("delete");
        beat(denied);
        beat(denied);
        wire.pass(TTL.dividedBy(4));
        hand.renewed();
        places.get(3).leave();
        wire.pass(Duration.ZERO);

        answerOpen(denied, Code.DENIED);

        assertThat(hand.listener.troubles).isEmpty();
    }

    @Test
    void beat_severalRequests_isAnsweredWithTheLast() {
        beat(asked -> asked.contains(places.get(3).key()));
        renewalIsDue();
        hand.renewed();
        assertThat(wire.asked()).hasSizeGreaterThan(1);
        while (wire.asked().size() > 1) {
            wire.answer(30, parts(wire.asked().get(0)));
            wire.pass(Duration.ofMillis(900));
            assertThat(wire.renewals).isEmpty();
        }
        wire.answer(30, parts(wire.asked().get(0)));
        wire.pass(TTL.dividedBy(4));
        assertThat(wire.renewals).hasSize(1);
    }

    /** What was refused is not asked for with the others again before it has been read. */
    @Test
    void beat_serverIsBusyWithWhatIsReadApart_staysApart() {
        beat(asked -> asked.contains(places.get(3).key()));
        answerAll(asked -> asked.contains(places.get(3).key()), Code.OVERLOADED);

        renewalIsDue();
        hand.renewed();
        assertThat(wire.asked()).hasSizeGreaterThan(1);
        assertThat(told).isEmpty();
    }

    @Test
    void beat_serverTakesFewerOperations_isNotAskedForMoreAgain() {
        Predicate<String> tooMany = asked -> asked.split(LOOK, -1).length - 1 > 3;
        for (int i = 0; i < 10; i++) {
            answerAll(tooMany, Code.TOO_LARGE);
        }
        for (int i = 0; i < 4; i++) {
            renewalIsDue();
            hand.renewed();
            assertThat(wire.asked()).noneMatch(tooMany);
            answerOpen(tooMany, Code.TOO_LARGE);
        }
    }

    @Test
    void beat_asManyEntriesAsFitIntoTheirReads_makesNoOtherRead() {
        Predicate<String> tooMany = asked -> asked.split(LOOK, -1).length - 1 > 3;
        for (int i = 0; i < 10; i++) {
            answerAll(tooMany, Code.TOO_LARGE);
        }
        places.get(4).leave();
        wire.pass(Duration.ZERO);
        wire.answer(30, new Part(List.of(), 1));

        assertThat(beat(asked -> false)).isEqualTo(2);
    }

    /** From the third beat on, which is the first one that reads it alone. */
    @Test
    void beat_entryMayNotBeReadAlone_isGivenUpAfterExactlyATimeToLive() {
        int beats = 0;
        for (; told.isEmpty(); beats++) {
            beat(asked -> asked.contains(places.get(0).key()));
        }
        assertThat(beats).isEqualTo(3 + 4);
    }

    /** Roles may have changed twice: the time to live counts from the later change. */
    @Test
    void beat_entryMayNotBeReadAgainAfterAnotherReadHasShownIt_isGivenUpAfterATimeToLiveFromThen() {
        Predicate<String> denied = asked -> asked.contains(places.get(0).key());
        for (int i = 0; i < 6; i++) {
            beat(denied);
        }
        hand.session.heartbeatRequests().seen(places.get(0));
        assertThat(hand.listener.troubles).isEmpty();
        beat(denied);
        assertThat(hand.listener.troubles).hasSize(1);
        beat(denied);
        beat(denied);
        beat(denied);
        assertThat(told).isEmpty();
        beat(denied);

        assertThat(told).hasSize(1);
    }

    @Test
    void beat_ownKeyMayNotBeRead_saysWhy() {
        beat(asked -> true);

        assertThat(hand.session.trouble())
                .hasValueSatisfying(why -> assertThat(why).contains(OWN, "said by hand"));
        beat(asked -> false);
        assertThat(hand.session.trouble()).isEmpty();
    }

    private void renewalIsDue() {
        wire.pass(TTL.dividedBy(4));
        assertThat(wire.renewals).hasSize(1);
    }

    /** A beat is due, and all it asks is answered, or denied; how many requests it took. */
    private int beat(Predicate<String> denied) {
        return answerAll(denied, Code.DENIED);
    }

    private int answerAll(Predicate<String> refused, Code how) {
        wire.pass(TTL.dividedBy(4));
        hand.renewed();
        return answerOpen(refused, how);
    }

    private int answerOpen(Predicate<String> refused, Code how) {
        int requests = 0;
        for (; !wire.asked().isEmpty(); requests++) {
            String asked = wire.asked().get(0);
            if (asked.contains("delete")) {
                removals++;
                wire.answer(30, new Part(List.of(), 1));
            } else if (refused.test(asked)) {
                wire.fail(how, "said by hand");
            } else {
                wire.answer(30, parts(asked));
            }
        }
        return requests;
    }

    private Part[] parts(String asked) {
        return Arrays.stream(asked.split(", "))
                .map(one -> one.substring(LOOK.length()))
                .map(this::part)
                .toArray(Part[]::new);
    }

    private Part part(String key) {
        if (key.equals(OWN)) {
            return own();
        }
        return places.stream()
                .filter(place -> place.key().equals(key) && !key.equals(missing))
                .findFirst()
                .map(place -> HandWire.part(HandWire.kv(key, "", place.token(), place.token())))
                .orElse(HandWire.part());
    }
}
