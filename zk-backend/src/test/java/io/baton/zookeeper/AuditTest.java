package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.spi.Entry;
import io.baton.spi.HeadListener;
import io.baton.spi.Line;
import io.baton.spi.PlaceListener;
import io.baton.spi.TreeListener;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an audit asks, and what it makes of the answers. */
class AuditTest {

    /** The last but one ahead, which is watched. */
    private static final String AHEAD = "_c_00000000-0000-0000-0000-0000000000aa-lock-0000001000";

    private static final String BETWEEN = "_c_00000000-0000-0000-0000-0000000000bb-lock-0000001001";

    /** The number of the one ahead. */
    private static final int FIRST = 1_000;

    /** Past the first audit, and before the second. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final ScriptedWire wire = new ScriptedWire();
    private final List<String> told = new ArrayList<>();
    private ZkSession session;
    /** How many stand ahead of the one that is watched. */
    private int others = 9;

    @BeforeEach
    void connect() {
        session = wire.session(new DeafListener());
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app", 0));
    }

    @Test
    void round_placesInManyLines_asksOfAFewAtATime() {
        for (int i = 0; i < 100; i++) {
            waitIn("many-" + i);
        }
        wire.sent.clear();

        wire.pass(SOON);

        assertThat(ofLines(wire.sent)).hasSize(Audit.WINDOW);
        answerNext();
        assertThat(ofLines(wire.sent)).hasSize(Audit.WINDOW + 1);
    }

    @Test
    void round_placesInManyLines_asksOfEachInTurn() {
        for (int i = 0; i < 100; i++) {
            waitIn("many-" + i);
        }
        wire.sent.clear();

        wire.pass(SOON);
        answerAll();

        assertThat(wire.sent)
                .filteredOn(request -> request.startsWith("children"))
                .hasSize(100)
                .doesNotHaveDuplicates();
        assertThat(told).isEmpty();
    }

    @Test
    void round_notAnswered_noOtherBegins() {
        for (int i = 0; i < 100; i++) {
            waitIn("many-" + i);
        }
        wire.sent.clear();

        wire.pass(Duration.ofMinutes(5));

        assertThat(ofLines(wire.sent)).hasSize(Audit.WINDOW);
    }

    @Test
    void round_answered_isFollowedByAnother() {
        waitIn("orders");
        wire.pass(SOON);
        answerAll();
        wire.sent.clear();

        wire.pass(Duration.ofSeconds(46));

        assertThat(ofLines(wire.sent)).containsExactly("children /app/locks/orders");
    }

    @Test
    void round_contactBreaks_isGivenUpForANewOne() {
        for (int i = 0; i < 100; i++) {
            waitIn("many-" + i);
        }
        wire.sent.clear();
        wire.pass(SOON);
        wire.lose();
        assertThat(ofLines(wire.sent)).as("asked before the break").hasSize(Audit.WINDOW);
        wire.sent.clear();
        wire.connect();

        wire.pass(SOON);
        answerAll();

        assertThat(wire.sent)
                .filteredOn(request -> request.startsWith("children"))
                .hasSize(100);
    }

    @Test
    void round_observersOfManyTrees_asksOfOneAfterTheOther() {
        for (int i = 0; i < 20; i++) {
            session.observe("tree-" + i, new Unheard());
            answerAll();
        }
        wire.sent.clear();

        wire.pass(SOON);
        List<String> first = follows();
        answerAll();

        assertThat(first).hasSize(1);
        assertThat(follows()).hasSize(20);
    }

    @Test
    void round_observersOfManyLines_asksOfAFewAtATime() {
        for (int i = 0; i < 100; i++) {
            session.observe(Line.of("elections/many-" + i), (HeadListener) head -> {});
            answerAll();
        }
        wire.sent.clear();

        wire.pass(SOON);

        assertThat(ofLines(wire.sent)).hasSize(Audit.WINDOW);
    }

    @Test
    void line_gone_itsPlacesAreTold() {
        waitIn("orders");
        waitIn("others");
        wire.pass(SOON);

        wire.answer("children /app/locks/orders", Code.NONODE, null);

        assertThat(told).singleElement().asString().startsWith("orders gone").contains("removed by somebody else");
    }

    @Test
    void line_goneAfterItWasListed_itsPlacesAreTold() {
        waitIn("orders");
        wire.pass(SOON);
        answerAll();
        wire.pass(Duration.ofSeconds(46));

        answerSignsOfLife();
        wire.answer("children /app/locks/orders", Code.NONODE, null);

        assertThat(told).singleElement().asString().startsWith("orders gone");
    }

    @Test
    void line_mayNotBeReadAnyMore_itsPlacesGiveUpWithTheReason() {
        String mine = waitIn("orders");
        wire.pass(SOON);

        wire.answer("children /app/locks/orders", Code.NOAUTH, null);

        assertThat(told).singleElement().asString().startsWith("orders gone").contains("cannot wait", "credentials");
        assertThat(wire.open()).contains("delete /app/locks/orders/" + mine);
    }

    @Test
    void line_observedAndMayNotBeReadAnyMore_observersBeginAnew() {
        session.observe(Line.of("elections/e"), (HeadListener) head -> told.add("head " + head.isPresent()));
        answerAll();
        wire.pass(SOON);
        wire.sent.clear();

        wire.answer("children /app/elections/e", Code.NOAUTH, null);

        assertThat(wire.sent).containsExactly("follow /app/elections/e", "children /app/elections/e");
    }

    @Test
    void longLine_asKnown_readsTheOwnEntryAndTheOneWatched() {
        others = LineAudit.LONG;
        String mine = waitIn("orders");
        wire.pass(SOON);

        assertThat(ofLines(wire.open()))
                .containsExactlyInAnyOrder("read /app/locks/orders/" + mine, "read /app/locks/orders/" + AHEAD);
        answerAll();
        assertThat(wire.sent)
                .filteredOn(request -> request.startsWith("children"))
                .hasSize(1); // the join's
        assertThat(told).isEmpty();
    }

    @Test
    void longLine_manyPlacesOfOurs_isListedOnceForAll() {
        others = LineAudit.LONG;
        for (int i = 0; i < 60; i++) {
            waitIn("orders");
        }
        wire.sent.clear();
        wire.pass(SOON);

        assertThat(ofLines(wire.sent)).containsExactly("children /app/locks/orders");
    }

    @Test
    void longLine_watchedOneHasGoneUntold_isFoundOut() {
        others = LineAudit.LONG;
        String mine = waitIn("orders");
        wire.pass(SOON);
        answerReads(AHEAD);
        wire.answer("unwatch /app/locks/orders/" + AHEAD, Code.OK, null);
        wire.answer("children /app/locks/orders", Code.OK, List.of(mine));

        assertThat(told).containsExactly("orders clear");
    }

    @Test
    void longLine_ownEntryHasGoneUntold_isFoundOut() {
        others = LineAudit.LONG;
        String mine = waitIn("orders");
        wire.pass(SOON);
        answerReads(mine);
        wire.answer("unwatch /app/locks/orders/" + AHEAD, Code.OK, null);
        wire.answer("children /app/locks/orders", Code.OK, List.of(AHEAD));

        assertThat(told).singleElement().asString().startsWith("orders gone");
    }

    @Test
    void longLine_entryMayNotBeReadAnyMore_thePlaceGivesUp() {
        others = LineAudit.LONG;
        String mine = waitIn("orders");
        wire.pass(SOON);
        answerSignsOfLife();
        while (!wire.open().get(0).endsWith(mine)) {
            answerNext();
        }
        wire.answer(wire.open().get(0), Code.NOAUTH, null);

        assertThat(told).singleElement().asString().startsWith("orders gone").contains("cannot wait");
    }

    /** Waits behind another one in this line; the name of the entry. */
    private String waitIn(String lock) {
        String line = "/app/locks/" + lock;
        session.join(Line.of("locks/" + lock), new byte[0], new Told(lock));
        if (wire.open().get(0).startsWith("read")) { // nothing is known of the line
            wire.answer("read " + line, Code.OK, node(line, others));
        }
        String created = wire.open().get(0).substring("create ".length());
        String mine = String.format("%s%010d", created.substring(line.length() + 1), FIRST + 2);
        wire.answer("create " + created, Code.OK, node(line + "/" + mine, 0));
        wire.answer("children " + line, Code.OK, standing(mine));
        if (!wire.open().isEmpty()) { // the first one in this line sets the watch
            wire.answer("watch " + line + "/" + AHEAD, Code.OK, node(line + "/" + AHEAD, 0));
        }
        lines.add(line);
        entries.add(mine);
        return mine;
    }

    private final List<String> lines = new ArrayList<>();
    private final List<String> entries = new ArrayList<>();

    /** Answers the oldest request: all is as known. */
    private void answerNext() {
        String request = wire.open().get(0);
        String path = request.substring(request.indexOf(' ') + 1);
        if (request.startsWith("children")) {
            int line = lines.indexOf(path);
            wire.answer(request, line < 0 ? Code.NONODE : Code.OK, line < 0 ? null : standing(entries.get(line)));
        } else if (request.startsWith("read") && path.startsWith("/app/tree-")) {
            wire.answer(request, Code.NONODE, null);
        } else if (request.startsWith("read")) {
            wire.answer(request, Code.OK, node(path, 2));
        } else {
            wire.answer(request, Code.OK, null);
        }
    }

    private void answerAll() {
        while (!wire.open().isEmpty()) {
            answerNext();
        }
    }

    /** Answers the reads of entries, of which this one has gone, and a sign of life before them. */
    private void answerReads(String gone) {
        while (wire.open().get(0).startsWith("read")) {
            String request = wire.open().get(0);
            boolean none = request.endsWith(gone);
            wire.answer(request, none ? Code.NONODE : Code.OK, none ? null : node(request.substring(5), 0));
        }
    }

    private void answerSignsOfLife() {
        while (List.of("read /app", "multi [/app]").contains(wire.open().get(0))) {
            answerNext();
        }
    }

    private static List<String> ofLines(List<String> requests) {
        return requests.stream()
                .filter(request -> request.contains("/app/locks/") || request.contains("/app/elections/"))
                .toList();
    }

    private List<String> follows() {
        return wire.sent.stream()
                .filter(request -> request.startsWith("follow"))
                .toList();
    }

    /** Too many for the line to be followed. */
    private List<String> standing(String last) {
        var names = new ArrayList<String>();
        for (int number = -others; number < 0; number++) {
            names.add(String.format("_c_00000000-0000-0000-0000-0000000000bb-lock-%010d", FIRST + number));
        }
        names.add(AHEAD);
        names.add(BETWEEN);
        names.add(last);
        return names;
    }

    private static Node node(String path, int children) {
        return new Node(path, new byte[0], 9, 9, 9, 0, children, ScriptedWire.SESSION);
    }

    private static final class Unheard implements TreeListener {
        @Override
        public void snapshot(List<Item> all, Position at) {}

        @Override
        public void changed(List<Item> put, List<RecordKey> gone, long revision) {}
    }

    private final class Told implements PlaceListener {
        private final String lock;

        Told(String lock) {
            this.lock = lock;
        }

        @Override
        public void waiting() {}

        @Override
        public void clear(Entry mine) {
            told.add(lock + " clear");
        }

        @Override
        public void lost(CoordinationException why) {
            told.add(lock + " gone: " + why.getMessage());
        }
    }
}
