package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.Place;
import io.baton.spi.Proof;
import io.baton.spi.SessionSpec;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session that moves to another lease, answer by answer. The first is 0x4d; a hold was granted at revision 20. */
class LeaseMigrationTest {

    private static final String LOCKS = "/app/locks/";
    private static final String LINE = LOCKS + "orders/";
    private static final String OWN = "/app/.sessions/4d";
    private static final long OTHER = 99;
    private static final Duration TTL = Duration.ofSeconds(4);

    private final HandWire wire = new HandWire();
    private final List<String> told = new ArrayList<>();
    private final List<String> deleted = new ArrayList<>();
    private Map<String, String> troubles = Map.of();
    private EtcdWire.Events events;
    private EtcdSession session;
    private LinePlace place;
    private LinePlace joinedLate;

    @BeforeEach
    void hold() {
        session = new EtcdSession(
                EtcdAddress.parse(URI.create("etcd://nowhere/app")),
                new SessionSpec(TTL, "test"),
                Timing.of(TTL),
                wire,
                (patience, to) -> {
                    events = to;
                    return wire;
                },
                noted());
        events.connected();
        wire.grants.remove().accept(Fault.NONE, new Lease(HandWire.header(9), HandWire.LEASE, TTL));
        wire.answer(10, HandWire.part());
        place = join("orders");
        wire.answer(20, HandWire.part(), HandWire.part(kv(place.key(), 20, HandWire.LEASE)));
        wire.pass(Duration.ZERO);
        answerBeat();
        told.clear();
    }

    @Test
    void beat_sameTerm_asksForNoLease() {
        wire.pass(TTL);

        assertThat(wire.grants).isEmpty();
    }

    @Test
    void answer_inALaterTerm_theOwnKeyAndTheEntriesAreWrittenWithAnotherLeaseAndTheFormerIsRevoked() {
        electAnother();
        assertThat(wire.asked())
                .containsExactly("if " + OWN + " written 10, if " + place.key() + " created 20, put " + OWN
                        + "=client=test\n lease 99, put " + place.key() + "= lease 99, else look at " + OWN
                        + ", else look at " + place.key());
        assertThat(wire.revoked).isEmpty();

        wire.answer(30, HandWire.part(), HandWire.part());

        assertThat(wire.revoked).containsExactly(HandWire.LEASE);
        assertThat(session.id()).isEqualTo("0x63");
        assertThat(session.ownKey()).isEqualTo(OWN);
        assertThat(place.token()).isEqualTo(20);
        assertThat(told).doesNotContain("gone", "lost");
        join("others");
        assertThat(wire.asked())
                .singleElement()
                .asString()
                .startsWith("if " + OWN + " written 30")
                .contains("lease 99");
    }

    /** What the move writes was decided before: it may be applied after the downgrade, and undo it. */
    @Test
    void move_underWayWhileAnEntryIsDowngraded_thatIsAskedForAgain() {
        LinePlace writer = (LinePlace) session.join(
                Line.of("rwlocks/orders", Line.Kind.READ_WRITE), Claim.EXCLUSIVE, new byte[0], new NotedStanding(told));
        holdAndElect(writer);
        var downgraded = writer.downgrade().toCompletableFuture();
        wire.overtake();
        wire.answer(30, HandWire.part());
        assertThat(downgraded).isCompleted();

        wire.answer(31, HandWire.part(), HandWire.part(), HandWire.part());

        assertThat(wire.asked())
                .singleElement()
                .asString()
                .startsWith("if " + writer.key() + " created 22, put " + writer.key() + "=\ndowngraded=true\n");
    }

    /** Otherwise it could be applied after a downgrade that was told as done, and undo that. */
    @Test
    void move_laterBatchWithoutAnswer_isSentAgainUnderANewEpochSoThatTheFirstAttemptFails() {
        for (int i = 0; i < 51; i++) {
            LinePlace other = join("lock" + i);
            wire.answer(21, HandWire.part(), HandWire.part(kv(other.key(), 21, HandWire.LEASE)));
        }
        electAnotherWithManyHolds();
        wire.answer(30, HandWire.part());
        assertThat(wire.asked()).singleElement().asString().doesNotContain("put " + OWN);
        wire.fail(Code.LOST, "no answer in time");

        wire.pass(TTL.dividedBy(4));
        answerAllButMoves();

        assertThat(wire.asked())
                .singleElement()
                .asString()
                .startsWith("if " + OWN + " written 30")
                .contains("put " + OWN + "=client=test\n lease 99, put " + LOCKS);
        wire.answer(35, HandWire.part());
        assertThat(wire.revoked).containsExactly(HandWire.LEASE);
        join("another");
        assertThat(wire.asked()).singleElement().asString().startsWith("if " + OWN + " written 35");
    }

    private void electAnotherWithManyHolds() {
        wire.term = 4;
        wire.pass(TTL.dividedBy(4));
        renew(HandWire.LEASE);
        wire.fail(Code.OVERLOADED, "too many requests");
        wire.pass(Duration.ZERO);
        grant();
    }

    private void answerAllButMoves() {
        for (int i = wire.asked().size(); i > 0; i--) {
            if (wire.asked().get(0).contains("put ")) {
                wire.overtake();
            } else {
                wire.fail(Code.OVERLOADED, "too many requests");
            }
        }
    }

    @Test
    void moving_bothLeasesAreRenewedAndAProofTakesBoth() {
        electAnother();
        wire.fail(Code.OVERLOADED, "too many requests");
        Proof before = session.proof();
        wire.renewed.clear();
        wire.pass(TTL.dividedBy(4));
        assertThat(wire.renewed).containsExactly(HandWire.LEASE, OTHER);
        wire.fail(Code.OVERLOADED, "too many requests");
        renew(HandWire.LEASE);
        assertThat(session.proof()).isEqualTo(before);
        renew(OTHER);
        answerBeatsRead();

        assertThat(session.proof().betterThan(before)).isTrue();
    }

    /** The other one lives from when it was asked for: what hangs on it must not be promised for longer. */
    @Test
    void grant_underWay_aProofCountsFromTheAskingAtTheLatest() {
        wire.term = 4;
        wire.pass(TTL.dividedBy(4));
        answerBeat();
        wire.pass(Duration.ZERO);
        assertThat(wire.grants).hasSize(1);
        long asked = wire.nanoTime();

        wire.pass(TTL.dividedBy(4));
        answerBeat();

        assertThat(session.proof().sentNanos()).isEqualTo(asked);
        wire.grants.remove().accept(new Fault(Code.NO_SPACE, "database space exceeded"), null);
        assertThat(session.proof().sentNanos()).isEqualTo(asked);
    }

    @Test
    void grant_refusedWithEveryBeat_theHoldIsProvenAllTheSame() {
        wire.term = 4;
        for (int i = 0; i < 20; i++) {
            wire.pass(TTL.dividedBy(4));
            renew(HandWire.LEASE);
            wire.grants.forEach(grant -> grant.accept(new Fault(Code.NO_SPACE, "database space exceeded"), null));
            wire.grants.clear();
            answerBeatsRead();
            assertThat(session.proof().remainingNanos(wire.nanoTime())).isGreaterThan(TTL.toNanos() / 2);
        }
        assertThat(told).isEmpty();
    }

    @Test
    void moving_oneLeaseIsNotRenewed_nothingIsProven() {
        electAnother();
        wire.fail(Code.OVERLOADED, "too many requests");
        Proof before = session.proof();
        for (int i = 0; i < 2; i++) {
            wire.pass(TTL.dividedBy(4));
            wire.fail(Code.OVERLOADED, "too many requests");
            renew(HandWire.LEASE);
            wire.renewals.remove().accept(new Fault(Code.LOST, "no answer in time"), null);
            session.verify();
            wire.answer(21, HandWire.part(own(10, HandWire.LEASE)));
        }

        assertThat(session.proof()).isEqualTo(before);
    }

    @Test
    void join_underWayOnTheFormerLease_isMovedBeforeThatIsRevoked() {
        LinePlace late = join("late");
        wire.term = 4;
        wire.fail(Code.LOST, "no answer in time");
        assertThat(late.mayUseLease(HandWire.LEASE)).isTrue();
        // The epoch is raised, and that answer tells the term.
        wire.answer(25, HandWire.part());
        wire.pass(Duration.ZERO);
        grant();
        // What became of the join, and the move of all else.
        wire.answer(25, HandWire.part(kv(late.key(), 22, HandWire.LEASE)));
        wire.answer(30, HandWire.part(), HandWire.part());
        assertThat(wire.revoked).isEmpty();

        assertThat(wire.asked().get(wire.asked().size() - 1)).contains("put " + late.key() + "= lease 99");
    }

    @Test
    void move_leaseHasEndedMeanwhile_theSessionStaysOnTheFormerAndTriesAgain() {
        electAnother();
        wire.fail(Code.NO_LEASE, "requested lease not found");
        wire.answer(30, HandWire.part(own(10, HandWire.LEASE)));

        assertThat(session.id()).isEqualTo("0x4d");
        wire.pass(TTL.dividedBy(4));
        assertThat(wire.grants).hasSize(1);
        assertThat(told).doesNotContain("gone", "lost");
    }

    @Test
    void epoch_refusedAsTheLeaseHasEndedMeanwhile_isRaisedOnTheFormer() {
        electAnother();
        wire.fail(Code.LOST, "no answer in time");
        join("late");
        wire.fail(Code.LOST, "no answer in time");
        assertThat(wire.asked()).singleElement().asString().contains("put " + OWN);
        wire.fail(Code.NO_LEASE, "requested lease not found");
        wire.answer(30, HandWire.part(own(10, HandWire.LEASE)));

        wire.pass(TTL);

        assertThat(wire.asked()).anyMatch(asked -> asked.startsWith("if " + OWN + " written 10, put " + OWN));
    }

    @Test
    void move_refusedAsAnEntryIsGone_isToldAndTheRestMoves() {
        electAnother();
        wire.refuse(30, HandWire.part(own(10, HandWire.LEASE)), HandWire.part());

        assertThat(told).contains("gone");
        wire.pass(TTL.dividedBy(4));
        assertThat(wire.asked())
                .anyMatch(asked -> asked.equals(
                        "if " + OWN + " written 10, put " + OWN + "=client=test\n lease 99, else look at " + OWN));
    }

    @Test
    void move_oneEntryMayNotBeWritten_theRestMovesAndThatOneIsTriedWithEachBeat() {
        LinePlace other = holdAnotherAndElect();
        assertThat(wire.asked()).singleElement().asString().contains("put " + place.key(), "put " + other.key());
        wire.fail(Code.DENIED, "etcdserver: permission denied");
        assertThat(wire.asked()).singleElement().asString().doesNotContain(other.key());
        wire.fail(Code.DENIED, "etcdserver: permission denied");
        assertThat(wire.asked()).singleElement().asString().doesNotContain(place.key());
        wire.answer(30, HandWire.part(), HandWire.part());

        assertThat(other.lease()).isEqualTo(OTHER);
        assertThat(place.lease()).isEqualTo(HandWire.LEASE);
        assertThat(wire.asked()).isEmpty();
        assertThat(wire.revoked).isEmpty();
        wire.pass(TTL.dividedBy(4));
        assertThat(wire.asked()).anyMatch(asked -> asked.contains("put " + place.key()));
        wire.answer(31, HandWire.part());
        assertThat(wire.revoked).containsExactly(HandWire.LEASE);
        assertThat(told).doesNotContain("gone", "lost");
    }

    /** What hung on it has gone with it; the others have moved, and must be proven without it. */
    @Test
    void move_oneEntryMayNotBeWrittenAndTheFormerLeaseEnds_thatOneIsGoneAndTheRestIsProven() {
        LinePlace other = holdAnotherAndElect();
        wire.fail(Code.DENIED, "etcdserver: permission denied");
        wire.fail(Code.DENIED, "etcdserver: permission denied");
        wire.answer(30, HandWire.part(), HandWire.part());
        Proof before = session.proof();

        for (int i = 0; i < 2; i++) {
            wire.pass(TTL.dividedBy(4));
            wire.fail(Code.DENIED, "etcdserver: permission denied"); // the move
            wire.renewals.remove().accept(new Fault(Code.NO_LEASE, "requested lease not found"), null);
            wire.answer(31, HandWire.part(own(30, OTHER)));
            renew(OTHER);
            while (!wire.asked().isEmpty()) {
                if (wire.asked().get(0).contains(LINE) || wire.asked().get(0).contains(other.key())) {
                    wire.fail(Code.DENIED, "etcdserver: permission denied");
                } else {
                    wire.answer(31, HandWire.part(own(30, OTHER)));
                }
            }
        }
        wire.pass(TTL.dividedBy(4));
        renew(OTHER);
        assertThat(wire.asked()).noneMatch(asked -> asked.contains(place.key()));
        while (!wire.asked().get(0).contains(other.key())) {
            wire.answer(31, HandWire.part(own(30, OTHER)));
        }
        wire.answer(31, HandWire.part(own(30, OTHER)), HandWire.part(kv(other.key(), 22, OTHER)));

        assertThat(told).containsOnlyOnce("gone").doesNotContain("lost");
        assertThat(other.stands()).isTrue();
        assertThat(session.proof().betterThan(before)).isTrue();
        assertThat(session.leaseMigration().leases()).containsExactly(OTHER);
    }

    /** As while servers have no space: no write can find that out. The lease that all hangs on lives. */
    @Test
    void move_refusedAndTheOtherLeaseEnds_theSessionStaysOnTheFormerAndTheHoldIsProven() {
        electAnother();
        wire.fail(Code.NO_SPACE, "database space exceeded");
        beat(TTL);
        Proof before = session.proof();

        beat(Duration.ZERO);
        assertThat(session.leaseMigration().leases()).containsExactly(HandWire.LEASE);
        beat(TTL);

        assertThat(session.proof().betterThan(before)).isTrue();
        assertThat(session.id()).isEqualTo("0x4d");
        assertThat(told).doesNotContain("gone", "lost");
        assertThat(wire.grants).hasSize(1);
    }

    /** Its leader may not have heard of it yet. */
    @Test
    void move_refusedAndTheOtherLeaseWasNeverThere_bothAreRenewedOn() {
        electAnother();
        wire.fail(Code.NO_SPACE, "database space exceeded");
        beat(Duration.ZERO);
        beat(Duration.ZERO);

        assertThat(session.leaseMigration().leases()).containsExactly(HandWire.LEASE, OTHER);
    }

    /** What has been joined on it meanwhile has gone with it. */
    @Test
    void move_refusedAndTheOtherLeaseEnds_whatHungOnItIsGivenUp() {
        electAnother();
        wire.fail(Code.NO_SPACE, "database space exceeded");
        joinedLate = join("late");
        wire.answer(25, HandWire.part(), HandWire.part(kv(joinedLate.key(), 25, OTHER)));
        beat(TTL);
        beat(Duration.ZERO);

        assertThat(told).containsOnlyOnce("gone");
        assertThat(joinedLate.stands()).isFalse();
        assertThat(place.stands()).isTrue();
    }

    /** A beat in which nothing can be written, and the other lease, if it is renewed, is so for this long; zero: it is not there. */
    private void beat(Duration other) {
        wire.pass(TTL.dividedBy(4));
        while (!wire.renewals.isEmpty()) {
            long lease = wire.renewed.get(wire.renewed.size() - wire.renewals.size());
            Duration ttl = lease == OTHER ? other : TTL;
            wire.renewals.remove().accept(Fault.NONE, new Lease(new EtcdWire.Header(1, 2, 21, wire.term), lease, ttl));
        }
        while (!wire.asked().isEmpty()) {
            answerWithoutSpace(wire.asked().get(0), other.isZero());
        }
        wire.pass(Duration.ZERO);
    }

    private void answerWithoutSpace(String asked, boolean ended) {
        if (asked.contains("put ")) {
            wire.fail(Code.NO_SPACE, "database space exceeded");
        } else {
            List<Part> parts = new ArrayList<>(List.of(HandWire.part(own(10, HandWire.LEASE))));
            if (asked.contains(place.key())) {
                parts.add(HandWire.part(kv(place.key(), 20, HandWire.LEASE)));
            }
            if (joinedLate != null && asked.contains(joinedLate.key())) {
                parts.add(ended ? HandWire.part() : HandWire.part(kv(joinedLate.key(), 25, OTHER)));
            }
            wire.answer(25, parts.toArray(new Part[0]));
        }
    }

    /** What was moved by a request that is answered late must not stay behind, in the line and nobody's. */
    @Test
    void move_answeredAfterTheFormerLeaseHasEnded_whatItMovedIsRemoved() {
        LinePlace other = holdAnotherAndElect();
        leaveAMoveUnderWayUntilTheFormerLeaseHasEnded(other);
        wire.answer(32, HandWire.part());
        wire.pass(Duration.ZERO);

        assertThat(deletes()).contains("if " + place.key() + " created 20, delete " + place.key());
        assertThat(wire.revoked).doesNotContain(0L);
        assertThat(told).doesNotContain("lost");
    }

    /** The session has only the other lease by then: it must not go back to none. */
    @Test
    void move_saidToHaveNoLeaseAfterTheFormerOneHasEnded_theSessionStaysOnTheOther() {
        LinePlace other = holdAnotherAndElect();
        leaveAMoveUnderWayUntilTheFormerLeaseHasEnded(other);
        wire.fail(Code.NO_LEASE, "requested lease not found");

        assertThat(session.leaseMigration().leases()).containsExactly(OTHER);
        assertThat(session.leaseMigration().lease()).isEqualTo(OTHER);
    }

    @Test
    void grant_refusedAgainAndAgain_isTold() {
        wire.term = 4;
        for (int i = 0; i < 4; i++) {
            wire.pass(TTL.dividedBy(4));
            renew(HandWire.LEASE);
            wire.grants.forEach(grant -> grant.accept(new Fault(Code.NO_SPACE, "database space exceeded"), null));
            wire.grants.clear();
            answerBeatsRead();
        }
        assertThat(troubles)
                .hasEntrySatisfying(
                        "Cannot move the session to a lease of the present leader's time",
                        why -> assertThat(why).contains("database space exceeded"));
        wire.pass(TTL.dividedBy(4));
        renew(HandWire.LEASE);
        grant();
        while (!wire.asked().get(0).contains("put " + OWN)) {
            wire.overtake();
        }
        wire.answer(30, HandWire.part(), HandWire.part());

        assertThat(troubles).isEmpty();
    }

    /** Answers, as often as there is something to answer, all but what contains that. */
    private void answerAllBut(String kept, LinePlace other) {
        for (int i = 0; i < 20; i++) {
            if (wire.asked().isEmpty()) {
                return;
            }
            String next = wire.asked().get(0);
            if (next.contains(kept)) {
                wire.overtake();
            } else if (next.contains("delete")) {
                deleted.add(next);
                wire.refuse(31, HandWire.part());
            } else if (next.contains(place.key()) || next.contains(other.key())) {
                wire.fail(Code.DENIED, "etcdserver: permission denied");
            } else {
                wire.answer(31, HandWire.part(own(30, OTHER)));
            }
        }
    }

    private List<String> deletes() {
        var all = new ArrayList<>(deleted);
        wire.asked().stream().filter(asked -> asked.contains("delete")).forEach(all::add);
        return all;
    }

    @Test
    void move_serverTakesFewerOperations_entriesMoveInParts() {
        LinePlace other = holdAnotherAndElect();
        wire.fail(Code.TOO_LARGE, "etcdserver: too many operations in txn request");
        wire.answer(30, HandWire.part(), HandWire.part());
        wire.answer(31, HandWire.part());

        assertThat(wire.revoked).containsExactly(HandWire.LEASE);
        assertThat(troubles).isEmpty();
    }

    /** As one that may not be read: its holder is told, and may be at work for a time to live. */
    @Test
    void move_oneEntryOutlivesItsHold_keepsTheFormerLeaseForIt() {
        electAnother();
        wire.fail(Code.DENIED, "etcdserver: permission denied");
        wire.answer(30, HandWire.part());
        place.unreadable(new Fault(Code.DENIED, "said by hand"));
        session.leaseMigration().advance();
        wire.pass(Duration.ZERO);
        assertThat(told).hasSize(1);
        assertThat(wire.revoked).isEmpty();

        for (int i = 0; i < 5; i++) {
            wire.pass(TTL.dividedBy(4));
            while (!wire.renewals.isEmpty()) {
                renew(wire.renewed.get(wire.renewed.size() - wire.renewals.size()));
            }
            while (!wire.asked().isEmpty()) {
                wire.answer(31, HandWire.part(own(30, OTHER)));
            }
            assertThat(wire.revoked.isEmpty()).as("beat %d", i).isEqualTo(i < 4);
        }
        assertThat(wire.revoked).containsExactly(HandWire.LEASE);
    }

    @Test
    void close_whileMoving_revokesBoth() {
        electAnother();
        session.close();
        wire.pass(Duration.ZERO);

        assertThat(wire.revoked).containsExactly(HandWire.LEASE, OTHER);
    }

    private Noted noted() {
        var noted = new Noted();
        troubles = noted.troubles;
        return noted;
    }

    /** The next answer is in a later term; another lease is asked for, and granted. */
    private void electAnother() {
        wire.term = 4;
        wire.pass(TTL.dividedBy(4));
        answerBeat();
        wire.pass(Duration.ZERO);
        grant();
    }

    /** The move of the place is the oldest request then; the other place has gone with the lease, and been told so. */
    private void leaveAMoveUnderWayUntilTheFormerLeaseHasEnded(LinePlace other) {
        wire.fail(Code.DENIED, "etcdserver: permission denied");
        wire.fail(Code.DENIED, "etcdserver: permission denied");
        wire.answer(30, HandWire.part(), HandWire.part());
        String move = "put " + place.key() + "=";
        for (int i = 0; i < 2; i++) {
            wire.pass(TTL.dividedBy(4));
            wire.renewals.remove().accept(new Fault(Code.NO_LEASE, "requested lease not found"), null);
            renew(OTHER);
            answerAllBut(move, other);
        }
        assertThat(told).containsOnlyOnce("gone");
        assertThat(wire.asked()).anyMatch(asked -> asked.contains(move));
        while (!wire.asked().get(0).contains(move)) {
            wire.overtake();
        }
    }

    /** One more lock is held; then as {@link #electAnother}. */
    private LinePlace holdAnotherAndElect() {
        return holdAndElect(join("others"));
    }

    private LinePlace holdAndElect(LinePlace other) {
        wire.answer(22, HandWire.part(), HandWire.part(kv(other.key(), 22, HandWire.LEASE)));
        wire.term = 4;
        wire.pass(TTL.dividedBy(4));
        renew(HandWire.LEASE);
        wire.answer(
                22,
                HandWire.part(own(10, HandWire.LEASE)),
                HandWire.part(kv(place.key(), 20, HandWire.LEASE)),
                HandWire.part(kv(other.key(), 22, HandWire.LEASE)));
        wire.pass(Duration.ZERO);
        grant();
        return other;
    }

    private void grant() {
        wire.grants.remove().accept(Fault.NONE, new Lease(new EtcdWire.Header(1, 2, 29, wire.term), OTHER, TTL));
    }

    private void answerBeat() {
        renew(HandWire.LEASE);
        answerBeatsRead();
    }

    private void renew(long lease) {
        wire.renewals.remove().accept(Fault.NONE, new Lease(new EtcdWire.Header(1, 2, 21, wire.term), lease, TTL));
    }

    private void answerBeatsRead() {
        wire.answer(21, HandWire.part(own(10, HandWire.LEASE)), HandWire.part(kv(place.key(), 20, HandWire.LEASE)));
    }

    private LinePlace join(String lock) {
        Place joining = session.join(Line.of("locks/" + lock), new byte[0], new NotedStanding(told));
        return (LinePlace) joining;
    }

    private static Kv own(long written, long lease) {
        return new Kv(OWN, new byte[0], 10, written, lease);
    }

    private static Kv kv(String key, long created, long lease) {
        return new Kv(key, new byte[0], created, created, lease);
    }

    private final class Noted extends DeafListener {
        @Override
        public void lost(CoordinationException why) {
            told.add("lost");
        }
    }
}
