package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.spi.Line;
import io.baton.spi.Proof;
import io.baton.spi.SessionListener;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;

/** What is different on a session that others use, too. */
class SharedSessionTest {

    private static final String LINE = "/app/locks/orders";

    private final ScriptedWire wire = new ScriptedWire();
    private final List<String> told = new ArrayList<>();
    private final ZkSession session = wire.sharedSession(new Told());

    @Test
    void connected_sessionWasThereBefore_provesNothing() {
        connect(Duration.ofSeconds(4));

        assertThat(told).containsExactly("connected");
        assertThat(session.proof().remainingNanos(wire.nanoTime())).isNotPositive();
    }

    @Test
    void connected_thenTouchTickAndCommit_isNotProvenYet() {
        connect(Duration.ofSeconds(4));

        wire.pass(Duration.ofSeconds(1));
        wire.answer("multi [/app]", Code.OK, null);

        assertThat(told).containsExactly("connected");
    }

    @Test
    void connected_thenTouchTickAndCommitsHalfATickApart_isProven() {
        prove();

        assertThat(told).containsExactly("connected", "proven");
    }

    @Test
    void connected_backAfterABreak_countsNothingFromBeforeIt() {
        prove();
        Proof before = session.proof();
        wire.pass(Duration.ofMillis(1));
        wire.comeBackAndCommit(session);

        assertThat(session.proof()).isEqualTo(before);
    }

    @Test
    void connected_longerOrShorterTimeoutThanAskedFor_livesByIt() {
        connect(Duration.ofSeconds(40));

        assertThat(session.timeout()).isEqualTo(Duration.ofSeconds(40));
        wire.connect(Duration.ofSeconds(60));
        assertThat(session.timeout()).as("later only less counts").isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void connected_timeoutThatCannotWork_isRefusedWithTheReason() {
        wire.connect(Duration.ofMillis(300));
        wire.pass(Duration.ZERO);

        assertThat(told).singleElement().asString().contains("lost", "the shared session has a timeout of 300 ms");
    }

    @Test
    void close_entriesStandingAndInDoubt_areAllLeftToTheWire() {
        connect(Duration.ofSeconds(4));
        session.lengths().note(LINE, 1);
        session.join(Line.of("locks/orders"), new byte[0], new LinePlaceTest.Unheard());
        session.join(Line.of("locks/orders"), new byte[0], new LinePlaceTest.Unheard());
        session.join(Line.of("locks/orders"), new byte[0], new LinePlaceTest.Unheard());
        List<String> creates = wire.open().stream()
                .filter(request -> request.startsWith("create"))
                .map(request -> request.substring("create ".length()))
                .toList();
        wire.answer("create " + creates.get(0), Code.OK, node(creates.get(0) + "0000000005"));
        wire.answer("children " + LINE, Code.CONNECTIONLOSS, null);
        wire.answer("create " + creates.get(1), Code.CONNECTIONLOSS, null);

        var closed = session.close().toCompletableFuture();
        wire.pass(Duration.ZERO);

        assertThat(wire.left).containsExactlyElementsOf(creates).hasSize(3);
        assertThat(closed).isNotDone();
        wire.pass(Duration.ofSeconds(5));
        assertThat(closed).isCompletedExceptionally();
    }

    private void prove() {
        connect(Duration.ofSeconds(4));
        wire.pass(Duration.ofSeconds(1));
        wire.answer("multi [/app]", Code.OK, null);
        wire.pass(Duration.ofMillis(500));
        wire.answer("multi [/app]", Code.OK, null);
    }

    private void connect(Duration negotiated) {
        wire.connect(negotiated);
        wire.answer("read /app", Code.OK, node("/app"));
    }

    private static Node node(String path) {
        return new Node(path, new byte[0], 9, 9, 9, 0, 0, ScriptedWire.SESSION);
    }

    private final class Told implements SessionListener {
        @Override
        public void connected() {
            told.add("connected");
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
            told.add("lost: " + why.getMessage());
        }
    }
}
