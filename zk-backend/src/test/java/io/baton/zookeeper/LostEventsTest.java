package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.Line;
import io.baton.zookeeper.wire.ZkWire.Change;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which of an audit's findings are events that the server has lost, reply by reply. */
class LostEventsTest {

    private static final String LINE = "/app/locks/orders";
    private static final String AHEAD = "_c_00000000-0000-0000-0000-0000000000aa-lock-0000000004";
    private static final String FURTHER = "_c_00000000-0000-0000-0000-0000000000bb-lock-0000000003";

    private final ScriptedWire wire = new ScriptedWire();
    private final List<String> told = new ArrayList<>();
    private ZkSession session;
    private LinePlace place;

    @BeforeEach
    void joinInContact() {
        session = wire.session(new DeafListener());
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));
        session.lengths().note(LINE, 1);
        place = join();
    }

    @Test
    void audit_watchedEntryGoneAndNotTold_isALostEventAndTheWaiterGoesOn() {
        String mine = created("0000000005");
        waitBehind(mine, AHEAD);

        place.entriesAhead().audit(AHEAD::equals);

        assertThat(session.lostEvents().count()).isOne();
        assertThat(session.lostEvents().newest()).isEqualTo(LINE + "/" + AHEAD);
        assertThat(wire.open()).containsExactly("unwatch " + LINE + "/" + AHEAD, "children " + LINE);
    }

    @Test
    void audit_allStand_isNoLostEvent() {
        String mine = created("0000000005");
        waitBehind(mine, AHEAD);

        place.entriesAhead().audit(FURTHER::equals);

        assertThat(session.lostEvents().count()).isZero();
    }

    @Test
    void audit_watchIsBeingSet_isNoLostEvent() {
        String mine = created("0000000005");
        wire.answer("children " + LINE, Code.OK, List.of(mine, AHEAD));
        assertThat(wire.open()).containsExactly("watch " + LINE + "/" + mine, "watch " + LINE + "/" + AHEAD);

        place.entriesAhead().audit(AHEAD::equals);

        assertThat(session.lostEvents().count()).isZero();
    }

    @Test
    void audit_ownEntryGoneToo_isNoLostEvent() {
        String mine = created("0000000005");
        waitBehind(mine, AHEAD);

        place.entriesAhead().audit(any -> true);

        assertThat(session.lostEvents().count()).isZero();
    }

    @Test
    void audit_predecessorIsOfTheSameSession_isNoLostEvent() {
        String first = created("0000000005");
        wire.answer("children " + LINE, Code.OK, List.of(first));
        LinePlace second = join();
        String mine = created("0000000006");
        wire.answer("children " + LINE, Code.OK, List.of(first, mine));
        assertThat(second.entriesAhead().expected()).containsExactly(mine, first);

        second.entriesAhead().audit(first::equals);

        assertThat(session.lostEvents().count()).isZero();
    }

    @Test
    void audit_afterTheEventCame_isNoLostEvent() {
        String mine = created("0000000005");
        wire.answer("children " + LINE, Code.OK, List.of(mine, AHEAD));
        wire.answer("watch " + LINE + "/" + mine, Code.NOAUTH, null);
        wire.answer("watch " + LINE + "/" + AHEAD, Code.OK, node(LINE + "/" + AHEAD));
        wire.tell(LINE + "/" + AHEAD, Change.DELETED);
        assertThat(told).containsExactly("waits");

        place.entriesAhead().audit(AHEAD::equals);

        assertThat(session.lostEvents().count()).isZero();
    }

    private LinePlace join() {
        return (LinePlace) session.join(Line.of("locks/orders"), new byte[0], new NotedStanding(told));
    }

    private void waitBehind(String mine, String ahead) {
        wire.answer("children " + LINE, Code.OK, List.of(mine, ahead));
        wire.answer("watch " + LINE + "/" + mine, Code.OK, node(LINE + "/" + mine));
        wire.answer("watch " + LINE + "/" + ahead, Code.OK, node(LINE + "/" + ahead));
        assertThat(told).containsExactly("waits");
    }

    /** Answers the create; the name of the entry. */
    private String created(String number) {
        String create = wire.open().stream()
                .filter(request -> request.startsWith("create " + LINE + "/"))
                .findFirst()
                .orElseThrow();
        String path = create.substring("create ".length()) + number;
        wire.answer(create, Code.OK, node(path));
        return path.substring(LINE.length() + 1);
    }

    private static Node node(String path) {
        return new Node(path, new byte[0], 9, 9, 9, 0, 0, ScriptedWire.SESSION);
    }
}
