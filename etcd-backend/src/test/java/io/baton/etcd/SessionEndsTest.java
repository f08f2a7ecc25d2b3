package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a session ends its lease, with a server that does not answer, or refuses. */
class SessionEndsTest {

    private static final Duration SOON = Duration.ofMillis(200);

    private final HandSession hand = new HandSession();
    private final HandWire wire = hand.wire;
    // For tests of a session with entries.
    private final HandSession holding = new HandSession();
    private CompletableFuture<Void> closed = new CompletableFuture<>();
    private String removal = "";

    @BeforeEach
    void close() {
        wire.pass(Duration.ZERO);
        closed = hand.session.close().toCompletableFuture();
        wire.pass(Duration.ZERO);
        assertThat(wire.revoked).containsExactly(HandWire.LEASE);
    }

    @Test
    void close_answered_isOver() {
        wire.revocations.remove().accept(Fault.NONE, HandWire.header(30));

        assertThat(closed).isCompleted();
        wire.pass(Duration.ofMinutes(1));
        assertThat(wire.revoked).hasSize(1);
    }

    /** As where the leader goes that was asked: what else the connection carries is answered. */
    @Test
    void close_notAnsweredThoughTheConnectionStands_revokesAgain() {
        answer(Code.LOST);
        assertThat(closed).isNotDone();
        wire.pass(SOON);
        assertThat(wire.revoked).hasSize(2);

        answer(Code.NO_LEASE);
        assertThat(closed).isCompleted();
        wire.pass(Duration.ofMinutes(1));
        assertThat(wire.revoked).hasSize(2);
    }

    /** Other members revoke at once what a frozen one does not answer. */
    @Test
    void close_notAnswered_revokesAgainByWayOfAnotherMember() {
        answer(Code.LOST);
        assertThat(wire.reconnects).isOne();

        hand.disconnect();
        hand.contact();
        assertThat(wire.revoked).hasSize(2);
        answer(Code.NO_LEASE);
        assertThat(closed).isCompleted();
    }

    @Test
    void close_notAnsweredOnAFormerConnection_keepsTheNewOne() {
        hand.disconnect();
        hand.contact();
        answer(Code.LOST);

        assertThat(wire.reconnects).isZero();
    }

    @Test
    void close_serverIsTooBusy_revokesAgain() {
        answer(Code.OVERLOADED);
        wire.pass(SOON);

        assertThat(wire.revoked).hasSize(2);
        assertThat(closed).isNotDone();
    }

    @Test
    void close_neverAnswered_endsInTime() {
        for (int i = 0; i < 1_000 && !closed.isDone(); i++) {
            if (!wire.revocations.isEmpty()) {
                answer(Code.LOST);
            }
            wire.pass(SOON);
        }

        assertThat(closed).isCompletedExceptionally();
        assertThat(wire.closed).isTrue();
        int asked = wire.revoked.size();
        wire.pass(Duration.ofMinutes(1));
        assertThat(wire.revoked).hasSize(asked);
    }

    @Test
    void close_refused_endsAtOnce() {
        answer(Code.DENIED);

        assertThat(closed).isCompletedExceptionally();
        assertThat(why()).hasMessageContaining("said by hand");
    }

    /** etcd refuses to revoke a lease if one key on it may not be written. Others wait behind the rest. */
    @Test
    void close_refused_removesTheEntriesOneByOneAndSaysWhy() {
        LinePlace one = holding.join("one");
        holding.joinedBehind(20);
        LinePlace other = holding.join("other");
        holding.joined(21);
        closed = holding.session.close().toCompletableFuture();
        holding.wire.pass(Duration.ZERO);
        holding.wire.revocations.remove().accept(new Fault(Code.DENIED, "not one of them"), null);

        assertThat(holding.wire.asked()).containsExactly("delete " + one.key());
        holding.wire.fail(Code.DENIED, "not this one");
        assertThat(holding.wire.asked()).containsExactly("delete " + other.key());
        assertThat(closed).isNotDone();
        holding.wire.answer(30, HandWire.part());

        assertThat(closed).isCompletedExceptionally();
        assertThat(why()).hasMessageContaining("not one of them").hasMessageContaining("timeout");
        assertThat(holding.wire.closed).isTrue();
    }

    @Test
    void close_refusedAndTheContactBreaks_removesTheEntryAfterThat() {
        removalFails(Code.LOST);
        assertThat(holding.wire.reconnects).isOne();

        holding.disconnect();
        holding.contact();

        assertThat(holding.wire.revocations).isEmpty();
        assertThat(holding.wire.asked()).containsExactly(removal);
        holding.wire.answer(30, HandWire.part());
        assertThat(closed).isCompletedExceptionally();
    }

    @Test
    void close_refusedAndTheRemovalIsNotAnswered_removesTheEntrySoon() {
        removalFails(Code.LOST);

        holding.wire.pass(Duration.ofMillis(300));

        assertThat(holding.wire.asked()).containsExactly(removal);
    }

    @Test
    void close_refusedAndTheServerIsTooBusyForTheRemoval_removesTheEntrySoon() {
        removalFails(Code.OVERLOADED);
        assertThat(holding.wire.reconnects).isZero();

        holding.wire.pass(Duration.ofMillis(300));

        assertThat(holding.wire.asked()).containsExactly(removal);
    }

    /** The revocation is refused, and then the removal of the only entry fails. */
    private void removalFails(Code how) {
        removal = "delete " + holding.join("one").key();
        holding.joined(20);
        closed = holding.session.close().toCompletableFuture();
        holding.wire.pass(Duration.ZERO);
        holding.wire.revocations.remove().accept(new Fault(Code.DENIED, "not one of them"), null);
        assertThat(holding.wire.asked()).containsExactly(removal);
        holding.wire.fail(how, "said by hand");
        assertThat(holding.wire.asked()).isEmpty();
        assertThat(closed).isNotDone();
    }

    private Throwable why() {
        return closed.handle((done, why) -> why).join();
    }

    private void answer(Code how) {
        wire.revocations.remove().accept(new Fault(how, "said by hand"), null);
    }
}
