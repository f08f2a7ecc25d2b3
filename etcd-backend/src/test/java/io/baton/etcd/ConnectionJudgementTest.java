package io.baton.etcd;

import static io.baton.etcd.HandSession.LINE;
import static io.baton.etcd.HandSession.OWN;
import static io.baton.etcd.HandSession.TTL;
import static io.baton.etcd.HandSession.other;
import static io.baton.etcd.HandSession.own;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.spi.Line;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a session gives its connection up, and what passes a window that is full. */
class ConnectionJudgementTest {

    private static final Duration AT_ONCE = Duration.ofMillis(50);

    private final HandSession hand = new HandSession();
    private final HandWire wire = hand.wire;

    @BeforeEach
    void answerTheFirstHeartbeat() {
        wire.pass(Duration.ZERO);
        hand.renewed();
    }

    @Test
    void read_withoutAnswer_keepsTheConnectionAndBeatsAtOnceWithACheck() {
        waiting();
        wire.watch().tell(HandWire.gone(LINE + "7-aa", 30));
        wire.fail(Code.LOST, "no answer in time");
        assertThat(wire.reconnects).isZero();

        wire.pass(AT_ONCE);
        hand.renewed();

        assertThat(wire.asked()).singleElement().asString().startsWith("look at " + OWN);
        wire.answer(31, own());
        assertThat(wire.reconnects).isZero();
        wire.pass(Duration.ofSeconds(1));
        assertThat(wire.asked()).anyMatch(asked -> asked.contains("newest"));
    }

    @Test
    void probe_renewalWithoutAnswer_givesTheConnectionUp() {
        waiting();
        wire.watch().tell(HandWire.gone(LINE + "7-aa", 30));
        wire.fail(Code.LOST, "no answer in time");
        wire.pass(AT_ONCE);

        wire.renewals.remove().accept(new Fault(Code.LOST, "no answer in time"), null);

        assertThat(wire.reconnects).isOne();
    }

    /** A member without a quorum answers renewals, and nothing else. */
    @Test
    void probe_checkWithoutAnswer_givesTheConnectionUp() {
        waiting();
        wire.watch().tell(HandWire.gone(LINE + "7-aa", 30));
        wire.fail(Code.LOST, "no answer in time");
        wire.pass(AT_ONCE);
        hand.renewed();

        wire.fail(Code.LOST, "no answer in time");

        assertThat(wire.reconnects).isOne();
    }

    @Test
    void waiter_memberAnswersRenewalsOnly_isLeftWithinTheTimeToLive() {
        waiting();
        for (Duration waited = Duration.ZERO;
                wire.asked().isEmpty() && waited.compareTo(TTL.plusSeconds(1)) < 0;
                waited = waited.plus(AT_ONCE)) {
            wire.pass(AT_ONCE);
            while (!wire.renewals.isEmpty()) {
                hand.renewed();
            }
        }
        assertThat(wire.asked()).containsExactly("look at " + OWN);

        wire.fail(Code.LOST, "no answer in time");

        assertThat(wire.reconnects).isOne();
    }

    @Test
    void renewal_windowIsFull_isSentAllTheSame() {
        fillTheWindow();

        wire.pass(TTL.dividedBy(4));

        assertThat(wire.renewals).hasSize(1);
        hand.renewed();
        hand.session.verify();
        assertThat(wire.asked()).hasSize(RequestWindow.LIMIT + 1).last().isEqualTo("look at " + OWN);
    }

    @Test
    void epoch_windowIsFull_isRaisedAllTheSame() {
        fillTheWindow();

        wire.fail(Code.LOST, "no answer in time");

        // In place of the one that is lost there is another one, and the epoch beside them.
        assertThat(wire.asked())
                .hasSize(RequestWindow.LIMIT + 1)
                .filteredOn(asked -> asked.contains("put " + OWN))
                .hasSize(1);
    }

    @Test
    void join_manyOfAnotherLineAreQueued_waitsForOneOfThem() {
        fillTheWindow();
        hand.session.join(Line.of("locks/bills"), new byte[0], new NotedStanding(new ArrayList<>()));

        wire.refuse(20, own());
        wire.refuse(20, own());

        assertThat(wire.asked()).last().asString().contains("put /app/locks/bills/");
    }

    @Test
    void leave_queuedJoin_isOverAtOnceAndNothingIsSent() {
        fillTheWindow();
        LinePlace queued = hand.join("late");

        assertThat(queued.leave().toCompletableFuture()).isCompleted();
        for (int i = 0; i < 20; i++) {
            wire.refuse(20, own());
        }

        // The ten that were queued before it are sent, and that is all.
        assertThat(wire.asked()).hasSize(RequestWindow.LIMIT - 20 + 10);
    }

    @Test
    void disconnect_queuedJoins_areNotInDoubt() {
        fillTheWindow();
        hand.disconnect();
        wire.pass(Duration.ofSeconds(5));
        assertThat(wire.asked()).isEmpty();

        hand.connect();

        // Those that had been sent are settled by one raise of the epoch; those that had not are sent meanwhile.
        assertThat(wire.asked())
                .filteredOn(asked -> asked.contains("put " + LINE))
                .hasSize(10);
        assertThat(wire.asked())
                .filteredOn(asked -> asked.contains("put " + OWN))
                .hasSize(1);
        assertThat(wire.asked()).hasSize(11);
    }

    /** As many joins as may be under way, and ten more. */
    private void fillTheWindow() {
        for (int i = 0; i < RequestWindow.LIMIT + 10; i++) {
            hand.join("many");
        }
        assertThat(wire.asked()).hasSize(RequestWindow.LIMIT);
    }

    /** One waiter, with two others ahead. */
    private void waiting() {
        hand.join("a");
        hand.joinedBehind(20, other("7-aa", 16), other("7-bb", 15));
        wire.watch().end(Code.LOST); // it cannot follow the line, and watches the nearest
        hand.listed(20, 21, other("7-aa", 16), other("7-bb", 15));
        wire.watch().create();
        hand.listed(20, 21, other("7-aa", 16), other("7-bb", 15));
        assertThat(wire.asked()).isEmpty();
    }
}
