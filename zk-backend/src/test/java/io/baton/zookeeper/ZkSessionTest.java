package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.spi.Condition;
import io.baton.spi.Line;
import io.baton.spi.Proof;
import io.baton.spi.SessionListener;
import io.baton.zookeeper.wire.Packet;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session, reply by reply. */
class ZkSessionTest {

    private static final RecordKey KEY = new RecordKey("stock", "a");

    private final ScriptedWire wire = new ScriptedWire();
    private final List<String> told = new ArrayList<>();
    private final List<CoordinationException> reasons = new ArrayList<>();
    private boolean listenerThrows;
    private ZkSession session;

    @BeforeEach
    void open() {
        session = wire.session(new Told());
    }

    @Test
    void get_contactBrokenBetweenRootAndRecord_asksAgainInsteadOfSayingAbsent() {
        connect();
        CompletableFuture<Optional<Item>> asked = session.get(KEY).toCompletableFuture();
        wire.answer("read /app/stock", Code.CONNECTIONLOSS, null);
        wire.answer("read /app/stock/a", Code.OK, node("/app/stock/a", 3));

        assertThat(asked).isNotDone();
        wire.pass(Duration.ofSeconds(1));
        assertThat(wire.open()).contains("read /app/stock", "read /app/stock/a");
    }

    @Test
    void get_requestTimesOut_isNotOwedForEver() {
        connect();
        wire.lose();
        for (int i = 0; i < 10_000; i++) {
            session.get(KEY);
            wire.pass(Duration.ofMillis(100));
        }
        assertThat(session.queuedRequests()).isPositive();
        wire.pass(session.timeout());

        assertThat(session.queuedRequests()).isZero();
        wire.connect();
        wire.pass(Duration.ofSeconds(1));
        assertThat(wire.open()).isNotEmpty().noneMatch(request -> request.contains("/app/stock"));
    }

    /** It waits for contact, to be sent again. */
    @Test
    void get_refusedByABusyServerAndTimesOutInABreak_isNotSentAgain() {
        connect();
        session.get(KEY);
        wire.answer("read /app/stock", Code.THROTTLEDOP, null);
        while (!wire.open().isEmpty()) {
            wire.answer(wire.open().get(0), Code.THROTTLEDOP, null);
        }
        wire.lose();
        assertThat(session.pendingTasks()).isPositive();
        wire.pass(session.timeout());

        wire.connect();
        wire.pass(Duration.ofSeconds(1));

        assertThat(wire.open()).isNotEmpty().noneMatch(request -> request.contains("/app/stock"));
    }

    @Test
    void connected_listenerThrows_livesOnAllTheSame() {
        listenerThrows = true;

        wire.connect();
        assertThatThrownBy(() -> wire.answer("read /app", Code.OK, node("/app", 0)))
                .hasMessage("thrown by the listener");

        wire.pass(Duration.ofSeconds(2));
        assertThat(wire.open()).containsOnly("read /app");
        assertThat(told).containsExactly("connected", "proven");
    }

    @Test
    void connected_afterLongerThanTheTimeout_asksForAProof() {
        wire.pass(Duration.ofSeconds(5));
        connect();

        wire.pass(Duration.ofSeconds(1));

        assertThat(wire.open()).contains("multi [/app]");
    }

    @Test
    void connected_backAfterABreak_isProvenByOneCommitWithoutATick() {
        connect();
        Proof before = session.proof();
        wire.pass(Duration.ofMillis(1));
        wire.comeBackAndCommit(session);

        assertThat(session.proof().betterThan(before)).isTrue();
        assertThat(session.proof().sentNanos()).isLessThan(wire.nanoTime());
    }

    @Test
    void close_withoutContact_doesNotSayThatTheEntryIsGone() {
        connect();
        session.lengths().note("/app/locks/orders", 1);
        var place = session.join(Line.of("locks/orders"), new byte[0], new LinePlaceTest.Unheard());
        wire.lose();
        var left = place.leave().toCompletableFuture();

        var closed = session.close().toCompletableFuture();
        wire.pass(Duration.ofMillis(1));

        assertThat(told).endsWith("lost");
        assertThat(closed).isCompletedExceptionally();
        assertThat(left).isCompletedExceptionally();
    }

    @Test
    void connected_laterWithATimeoutThatCannotWork_doesNotSayThatTheEntryIsGone() {
        wire.confirmsClose = false;
        connect();
        wire.lose();

        wire.connect(Duration.ofMillis(1));
        wire.pass(Duration.ofMillis(1));

        assertThat(told).endsWith("lost");
        assertThat(session.ended()).isCompletedExceptionally();
    }

    @Test
    void connected_atFirstWithATimeoutThatCannotWork_nothingIsLeftOfTheSession() {
        wire.confirmsClose = false;

        wire.connect(Duration.ofMillis(1));
        wire.pass(Duration.ofMillis(1));

        assertThat(told).endsWith("lost");
        assertThat(session.ended()).isCompleted();
    }

    @Test
    void rootRead_serversWantAuthentication_endsTheSessionWithTheReason() {
        wire.connect();
        wire.answer("read /app", Code.SESSIONCLOSEDREQUIRESASLAUTH, null);

        assertThat(told).containsExactly("lost");
        assertThat(reasons)
                .singleElement()
                .satisfies(why ->
                        assertThat(why).hasMessageContainingAll("cannot work in /app", "have not authenticated"));
    }

    @Test
    void trouble_serversHangUpForWantOfAuthentication_staysUntilTheyAnswer() {
        connect();
        wire.pass(Duration.ofSeconds(2));
        for (int breaks = 0; breaks < 3; breaks++) {
            wire.answer("read /app", Code.SESSIONCLOSEDREQUIRESASLAUTH, null);
            assertHungUp();
            wire.lose();
            assertHungUp();
            wire.diagnosed(Optional.empty());
            assertHungUp();
            wire.connect();
            assertHungUp();
        }
        wire.answer("read /app", Code.OK, node("/app", 0));

        assertThat(session.trouble()).isEmpty();
    }

    @Test
    void trouble_serversAreAwayAfterTheyHaveHungUp_isThat() {
        connect();
        wire.pass(Duration.ofSeconds(2));
        wire.answer("read /app", Code.SESSIONCLOSEDREQUIRESASLAUTH, null);
        wire.lose();

        wire.diagnosed(Optional.of("refuses connections"));

        assertThat(session.trouble()).hasValue("refuses connections");
    }

    private void assertHungUp() {
        assertThat(session.trouble())
                .hasValueSatisfying(why -> assertThat(why).contains("SESSIONCLOSEDREQUIRESASLAUTH"));
    }

    @Test
    void transact_twoRevisionsOfOneRecordExpected_isRefused() {
        connect();
        var one = new Condition.Unchanged(KEY, new ZkRevision(node("/app/stock/a", 3), 0));
        var other = new Condition.Unchanged(KEY, new ZkRevision(node("/app/stock/a", 4), 0));

        var outcome = session.transact(List.of(one, other), List.of(Op.put(KEY, "x")));

        assertThat(outcome.toCompletableFuture()).isCompletedWithValue(false);
        assertThat(wire.sent).noneMatch(request -> request.startsWith("multi"));
    }

    @Test
    void transact_revisionOfAnotherStore_saysSo() {
        connect();
        Revision foreign = () -> 7;

        var outcome = session.transact(List.of(new Condition.Unchanged(KEY, foreign)), List.of(Op.put(KEY, "x")));

        assertThat(outcome.toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void transact_largerThanAPacket_isRefusedBeforeItIsSent() {
        connect();
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ops.add(Op.put(new RecordKey("stock", "n" + i), new byte[400_000]));
        }

        var outcome = session.transact(List.of(), ops);

        assertThat(outcome.toCompletableFuture()).isCompletedExceptionally();
        assertThat(wire.sent).noneMatch(request -> request.startsWith("multi"));
    }

    @Test
    void batches_longPaths_fitIntoAPacketEach() {
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            paths.add("/app/locks/" + "%20".repeat(1_000) + i);
        }

        List<List<String>> batches = Packet.batches(paths, path -> path);

        assertThat(batches.stream().flatMap(List::stream)).containsExactlyElementsOf(paths);
        assertThat(batches)
                .allSatisfy(batch -> assertThat(
                                batch.stream().mapToInt(String::length).sum())
                        .isLessThan(1_000_000));
        assertThat(Packet.batches(List.<String>of(), path -> path)).containsExactly(List.of());
    }

    private void connect() {
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app", 0));
    }

    private static Node node(String path, long mzxid) {
        return new Node(path, new byte[0], 1, mzxid, 1, 0, 0, 0);
    }

    private final class Told implements SessionListener {
        @Override
        public void connected() {
            told.add("connected");
            if (listenerThrows) {
                throw new IllegalStateException("thrown by the listener");
            }
        }

        @Override
        public void suspended() {
            told.add("suspended");
        }

        @Override
        public void proven() {
            told.add("proven");
        }

        @Override
        public void lost(CoordinationException why) {
            told.add("lost");
            reasons.add(why);
        }
    }
}
