package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.support.Downgrades;
import io.baton.zookeeper.wire.ZkWire.Change;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A reader's place behind writers, of which one is downgraded, reply by reply. */
class ReaderPlaceTest {

    private static final String LINE = "/app/rwlocks/orders";
    private static final String FIRST = "_c_00000000-0000-0000-0000-0000000000bb-__WRIT__0000000003";
    private static final String SECOND = "_c_00000000-0000-0000-0000-0000000000aa-__WRIT__0000000004";

    private final ScriptedWire wire = new ScriptedWire();
    private final List<String> told = new ArrayList<>();
    private final DeafListener listener = new DeafListener();
    private String mine;

    @BeforeEach
    void joinInContact() {
        ZkSession session = wire.session(listener);
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));
        session.lengths().note(LINE, 1);
        session.join(
                Line.of("rwlocks/orders", Line.Kind.READ_WRITE), Claim.SHARED, new byte[0], new NotedStanding(told));
        String create = wire.open().get(0);
        String path = create.substring("create ".length()) + "0000000005";
        mine = path.substring(LINE.length() + 1);
        wire.answer(create, Code.OK, node(path));
    }

    @Test
    void downgrade_ofTheOneAhead_isSeenAndConfirmedByTheOwnEntry() {
        behind(SECOND);

        downgraded(SECOND);
        marked(SECOND, Code.OK);
        wire.answer("unwatch " + path(SECOND), Code.OK, null);
        wire.answer("read " + path(mine), Code.OK, node(path(mine)));

        assertThat(told).containsExactly("waits", "clear");
    }

    @Test
    void written_butNotDowngraded_goesOnWaiting() {
        behind(SECOND);

        downgraded(SECOND);
        wire.answer("read " + path(SECOND), Code.OK, node(path(SECOND)));

        assertThat(told).containsExactly("waits");
        assertThat(wire.open()).isEmpty();
    }

    /** And the event of their end is still on its way. */
    @Test
    void downgrade_afterOthersAheadHaveGone_isSeen() {
        behindBoth();

        downgraded(SECOND);
        wire.answer("children " + LINE, Code.OK, List.of(SECOND, mine));
        marked(SECOND, Code.OK);
        wire.answer("unwatch " + path(SECOND), Code.OK, null);
        wire.answer("unwatch " + path(FIRST), Code.OK, null);
        wire.answer("read " + path(mine), Code.OK, node(path(mine)));

        assertThat(told).containsExactly("waits", "clear");
    }

    @Test
    void downgrade_ofTheFirstOfTwo_isNotEnough() {
        behindBoth();

        downgraded(FIRST);

        assertThat(told).containsExactly("waits");
        assertThat(wire.open()).isEmpty();
    }

    /** The last one leaves, and the first one is left, which may be downgraded. */
    @Test
    void vanished_theLastOfTwo_theFirstIsRead() {
        behindBoth();

        wire.tell(path(SECOND), Change.DELETED);
        wire.answer("children " + LINE, Code.OK, List.of(FIRST, mine));

        assertThat(wire.open()).contains("read " + path(FIRST));
    }

    @Test
    void vanished_theOnlyWriterAhead_isClearWithoutAnotherAnswer() {
        behind(SECOND);

        wire.tell(path(SECOND), Change.DELETED);

        assertThat(told).containsExactly("waits", "clear");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void vanished_theFirstOfTwo_preparesTheHandOffByTheLast() {
        behindBoth();

        wire.tell(path(FIRST), Change.DELETED);
        wire.answer("watch " + path(mine), Code.OK, node(path(mine)));
        wire.answer("children " + LINE, Code.OK, List.of(SECOND, mine));
        wire.answer("read " + path(SECOND), Code.OK, node(path(SECOND)));
        wire.tell(path(SECOND), Change.DELETED);

        assertThat(told).containsExactly("waits", "clear");
        assertThat(wire.open()).isEmpty();
    }

    private void behindBoth() {
        wire.answer("children " + LINE, Code.OK, List.of(FIRST, SECOND, mine));
        wire.answer("watch " + path(FIRST), Code.OK, node(path(FIRST)));
        wire.answer("watch " + path(SECOND), Code.OK, node(path(SECOND)));
    }

    /** The event that told of it does not come again. */
    @Test
    void downgrade_whoseReadingWasNotAnswered_isReadAgain() {
        behind(SECOND);

        downgraded(SECOND);
        refuseToShow(SECOND);
        marked(SECOND, Code.OK);

        assertThat(wire.open()).contains("read " + path(mine));
    }

    @Test
    void written_serverIsTooBusyToShowItForLong_isATroubleUntilItIsShown() {
        behind(SECOND);

        downgraded(SECOND);
        for (int refused = 1; refused <= 5; refused++) {
            assertThat(listener.troubles).hasSize(refused > 3 ? 1 : 0);
            refuseToShow(SECOND);
        }
        assertThat(listener.troubles.values()).singleElement().asString().contains("THROTTLEDOP");
        wire.answer("read " + path(SECOND), Code.OK, node(path(SECOND)));

        assertThat(told).containsExactly("waits");
        assertThat(listener.troubles).isEmpty();
    }

    /** A busy server refuses to show this entry, which is read once more. */
    private void refuseToShow(String name) {
        wire.answer("read " + path(name), Code.THROTTLEDOP, null);
        wire.pass(Duration.ofSeconds(1));
        while (!wire.open().get(0).equals("read " + path(name))) {
            String beat = wire.open().get(0);
            wire.answer(beat, Code.OK, beat.startsWith("read ") ? node("/app") : null);
        }
    }

    /** A listing shows this entry ahead, which is watched and read. */
    private void behind(String ahead) {
        wire.answer("children " + LINE, Code.OK, List.of(ahead, mine));
        wire.answer("watch " + path(mine), Code.OK, node(path(mine)));
        wire.answer("watch " + path(ahead), Code.OK, node(path(ahead)));
        wire.answer("read " + path(ahead), Code.OK, node(path(ahead)));
        assertThat(told).containsExactly("waits");
    }

    private void downgraded(String name) {
        wire.tell(path(name), Change.WRITTEN);
        wire.answer("watch " + path(name), Code.OK, node(path(name)));
    }

    private void marked(String name, Code code) {
        byte[] value = Downgrades.mark(new byte[0]);
        wire.answer("read " + path(name), code, new Node(path(name), value, 8, 12, 8, 0, 0, ScriptedWire.SESSION));
    }

    private static String path(String name) {
        return LINE + "/" + name;
    }

    private static Node node(String path) {
        return new Node(path, new byte[0], 9, 9, 9, 0, 0, ScriptedWire.SESSION);
    }
}
