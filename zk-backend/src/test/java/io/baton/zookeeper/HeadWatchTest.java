package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.Line;
import io.baton.zookeeper.wire.ZkWire.Change;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who stands first in a line, reply by reply and event by event. */
class HeadWatchTest {

    private static final String LINE = "/app/elections/boss";
    private static final String FIRST = "_c_00000000-0000-0000-0000-0000000000bb-lock-0000000001";
    private static final String SECOND = "_c_00000000-0000-0000-0000-0000000000aa-lock-0000000002";
    private static final String THIRD = "_c_00000000-0000-0000-0000-0000000000cc-lock-0000000003";
    private static final String OTHER_LINE = "/app/elections/other";
    private static final String FOREIGN = "_c_00000000-0000-0000-0000-0000000000dd-latch-0000000000";

    private final ScriptedWire wire = new ScriptedWire();
    private final List<String> told = new ArrayList<>();
    private final DeafListener listener = new DeafListener();
    private ZkSession session;

    @BeforeEach
    void connect() {
        session = wire.session(listener);
        wire.connect();
        wire.answer("read /app", Code.OK, new Node("/app", new byte[0], 1, 1, 1, 0, 0, 0));
        session.lengths().note(LINE, 1);
        session.lengths().note(OTHER_LINE, 1);
    }

    @Test
    void observe_begin_watchesAndListsInOneRoundTrip() {
        observe();

        assertThat(wire.open()).containsExactly("follow " + LINE, "children " + LINE);
    }

    @Test
    void observe_noSuchLine_isNobodyAndTheFirstToComeIsTold() {
        observe();
        wire.answer("follow " + LINE, Code.OK, null);
        wire.answer("children " + LINE, Code.NONODE, null);
        assertThat(told).containsExactly("nobody");

        wire.tell(LINE, Change.CREATED);
        appears(FIRST);
        read(FIRST, 11, "a");
        assertThat(told).containsExactly("nobody", "11 a");
    }

    @Test
    void listed_severalStandThere_readsTheFirstOnly() {
        begin(SECOND, THIRD, FIRST);
        read(FIRST, 11, "a");

        assertThat(told).containsExactly("11 a");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void deleted_first_readsTheNextAndNothingElse() {
        begin(FIRST, SECOND, THIRD);
        read(FIRST, 11, "a");
        int before = wire.sent.size();

        goes(FIRST);
        read(SECOND, 12, "b");

        assertThat(told).containsExactly("11 a", "12 b");
        assertThat(wire.sent.subList(before, wire.sent.size())).containsExactly("read " + LINE + "/" + SECOND);
    }

    @Test
    void deleted_last_isNobodyAtThatVeryEvent() {
        begin(FIRST);
        read(FIRST, 11, "a");

        goes(FIRST);
        appears(SECOND);
        read(SECOND, 12, "b");

        assertThat(told).containsExactly("11 a", "nobody", "12 b");
    }

    @Test
    void changed_behindTheFirst_asksNothing() {
        begin(FIRST, SECOND);
        read(FIRST, 11, "a");
        int before = wire.sent.size();

        goes(SECOND);
        appears(THIRD);
        wire.tell(LINE + "/" + THIRD, Change.WRITTEN);

        assertThat(told).containsExactly("11 a");
        assertThat(wire.sent).hasSize(before);
    }

    @Test
    void deleted_beforeItCouldBeRead_isPassedOver() {
        begin(FIRST, SECOND, THIRD);
        read(FIRST, 11, "a");
        goes(FIRST);
        goes(SECOND);
        wire.answer("read " + LINE + "/" + SECOND, Code.NONODE, null);
        read(THIRD, 13, "c");

        assertThat(told).containsExactly("11 a", "13 c");
    }

    @Test
    void deleted_onlyOneBeforeItCouldBeRead_isNobody() {
        begin(FIRST);
        goes(FIRST);
        wire.answer("read " + LINE + "/" + FIRST, Code.NONODE, null);

        assertThat(told).containsExactly("nobody");
    }

    @Test
    void written_first_isReadAndToldAgain() {
        begin(FIRST);
        read(FIRST, 11, "a");
        wire.tell(LINE + "/" + FIRST, Change.WRITTEN);
        read(FIRST, 11, "z");

        assertThat(told).containsExactly("11 a", "11 z");
    }

    @Test
    void written_whileItIsBeingRead_isReadAgain() {
        begin(FIRST);
        read(FIRST, 11, "a");
        wire.tell(LINE + "/" + FIRST, Change.WRITTEN);
        wire.tell(LINE + "/" + FIRST, Change.WRITTEN);
        read(FIRST, 11, "y");
        read(FIRST, 11, "z");

        assertThat(told).containsExactly("11 a", "11 y", "11 z");
    }

    @Test
    void reconnected_sameFirst_isNotToldAgain() {
        begin(FIRST, SECOND);
        read(FIRST, 11, "a");
        reconnect();
        list(FIRST, SECOND);
        read(FIRST, 11, "a");

        assertThat(told).containsExactly("11 a");
    }

    @Test
    void reconnected_anotherOrNobody_isTold() {
        begin(FIRST, SECOND);
        read(FIRST, 11, "a");
        reconnect();
        list(SECOND);
        read(SECOND, 12, "b");
        reconnect();
        list();

        assertThat(told).containsExactly("11 a", "12 b", "nobody");
    }

    @Test
    void reconnected_whileReading_theOldReadDoesNotCount() {
        begin(FIRST);
        reconnect();
        list();

        assertThat(told).containsExactly("nobody");
    }

    @Test
    void follow_refused_believesNoListing() {
        observe();
        wire.answer("follow " + LINE, Code.NOAUTH, null);
        wire.answer("children " + LINE, Code.OK, List.of());
        assertThat(told).isEmpty();
        assertThat(listener.troubles).containsOnlyKeys("Cannot tell who is first in elections/boss");

        wire.pass(Duration.ofMillis(100));
        assertThat(wire.open()).contains("follow " + LINE, "children " + LINE);
        list();
        assertThat(told).containsExactly("nobody");
        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void follow_failsForAnotherReasonAgainAndAgain_isReported() {
        observe();
        for (int failed = 1; failed <= 3; failed++) {
            assertThat(listener.troubles).isEmpty();
            wire.answer("follow " + LINE, Code.OK, null);
            wire.answer("children " + LINE, Code.SYSTEMERROR, null);
            wire.pass(Duration.ofMillis(50));
        }

        assertThat(listener.troubles)
                .hasEntrySatisfying(
                        "Cannot tell who is first in elections/boss",
                        why -> assertThat(why).contains("SYSTEMERROR", "goes on trying"));
        list();
        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void listed_foreignEntry_isNotTakenForOurs() {
        begin(FOREIGN, SECOND);
        read(SECOND, 12, "b");

        assertThat(told).containsExactly("12 b");
        assertThat(listener.troubles)
                .hasEntrySatisfying(
                        "Not every entry in elections/boss is understood, and those are passed over",
                        why -> assertThat(why).contains(FOREIGN));
    }

    @Test
    void lineDeleted_isListedAnew() {
        begin(FIRST);
        read(FIRST, 11, "a");
        goes(FIRST);
        wire.tell(LINE, Change.DELETED);
        list();

        assertThat(told).containsExactly("11 a", "nobody");
    }

    @Test
    void numbersUsedUp_orderIsThatOfCreation() {
        String wrapped = "_c_00000000-0000-8000-8000-0000000000bb-lock--000000001";
        String last = "_c_00000000-0000-8000-8000-0000000000aa-lock-2147483647";
        observe();
        list(wrapped, last);
        for (String name : wire.open().stream().toList()) {
            long czxid = name.endsWith(last) ? 11 : 12;
            wire.answer(name, Code.OK, node(name.substring(name.lastIndexOf('/') + 1), czxid, ""));
        }
        read(last, 11, "a");

        assertThat(told).containsExactly("11 a");
    }

    @Test
    void numbersUsedUp_entriesMayNotBeRead_isToldUntilTheyMay() {
        String wrapped = "_c_00000000-0000-8000-8000-0000000000bb-lock--000000001";
        observe();
        list(wrapped);
        wire.answer("read " + LINE + "/" + wrapped, Code.NOAUTH, null);
        assertThat(listener.troubles)
                .hasEntrySatisfying(
                        "Cannot tell who is first in elections/boss",
                        why -> assertThat(why).contains("may not read", "goes on trying"));

        wire.pass(Duration.ofMillis(1));
        list(wrapped);
        read(wrapped, 11, "a");
        read(wrapped, 11, "a");
        assertThat(told).containsExactly("11 a");
        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void stop_lastOne_dropsTheWatchOnce() {
        Runnable one = observe();
        Runnable two = observe();
        wire.answer("follow " + LINE, Code.OK, null);
        wire.answer("children " + LINE, Code.OK, List.of());
        list();
        assertThat(told).containsExactly("nobody", "nobody");

        one.run();
        assertThat(wire.open()).isEmpty();
        two.run();
        assertThat(wire.open()).containsExactly("unwatch " + LINE);
        one.run();
        two.run();
        assertThat(wire.open()).containsExactly("unwatch " + LINE);
    }

    @Test
    void stop_lineIsFollowedByContenders_leavesTheWatch() {
        Runnable stop = observe();
        list();
        follow();

        stop.run();

        assertThat(wire.open()).noneMatch(request -> request.startsWith("unwatch"));
        wire.open().stream().toList().forEach(open -> wire.answer(open, Code.OK, null));
        session.followings().of(LINE).stop();
        assertThat(wire.open()).containsExactly("unwatch " + LINE);
    }

    @Test
    void followersStop_lineIsObserved_leavesTheWatch() {
        observe();
        list();
        follow();
        wire.answer("follow " + LINE, Code.OK, null);

        session.followings().of(LINE).stop();

        assertThat(wire.open()).isEmpty();
        appears(FIRST);
        read(FIRST, 11, "a");
        assertThat(told).containsExactly("nobody", "11 a");
    }

    @Test
    void audit_eventNeverCame_isFoundOut() {
        begin(FIRST, SECOND);
        read(FIRST, 11, "a");

        audit(Map.of(SECOND, "b"));

        assertThat(told).containsExactly("11 a", "12 b");
        assertThat(wire.sent).filteredOn(("follow " + LINE)::equals).hasSize(2);
    }

    @Test
    void audit_firstToComeWasNotTold_isFoundOut() {
        begin();

        audit(Map.of(FIRST, "a"));

        assertThat(told).containsExactly("nobody", "11 a");
    }

    @Test
    void audit_lineHasGoneUntold_isFoundOut() {
        begin(FIRST);
        read(FIRST, 11, "a");

        audit(Map.of());

        assertThat(told).containsExactly("11 a", "nobody");
    }

    @Test
    void audit_firstWasWrittenAnewUntold_isFoundOut() {
        begin(FIRST);
        read(FIRST, 11, "a");

        audit(Map.of(FIRST, "z"));

        assertThat(told).containsExactly("11 a", "11 z");
    }

    @Test
    void audit_asKnown_isAListingForAllAndAReadForEach() {
        begin(FOREIGN, FIRST, SECOND);
        read(FIRST, 11, "a");
        observe();
        list(FOREIGN, FIRST, SECOND);
        read(FIRST, 11, "a");
        wire.sent.clear();

        audit(Map.of(FOREIGN, "", FIRST, "a", SECOND, "b"));

        assertThat(told).containsExactly("11 a", "11 a");
        long listings = wire.sent.stream().filter(("children " + LINE)::equals).count();
        assertThat(listings).isBetween(2L, 5L);
        assertThat(wire.sent).filteredOn(("read " + LINE + "/" + FIRST)::equals).hasSize(2 * (int) listings);
        assertThat(wire.sent).doesNotContain("follow " + LINE);
    }

    @Test
    void audit_nobodyObservesAnyMore_asksNothing() {
        observe().run();
        wire.sent.clear();

        audit(Map.of());

        assertThat(wire.sent).doesNotContain("children " + LINE);
    }

    @Test
    void twoLines_observed_eachIsToldOfItsOwn() {
        begin(SECOND);
        read(SECOND, 12, "b");
        observeOther();

        wire.tell(OTHER_LINE + "/" + FIRST, Change.CREATED);
        wire.answer("read " + OTHER_LINE + "/" + FIRST, Code.OK, node(FIRST, 11, "a"));
        goes(SECOND);

        assertThat(wire.open()).isEmpty();
        assertThat(told).containsExactly("12 b", "nobody", "11 a", "nobody");
    }

    @Test
    void stop_anotherLineIsObserved_dropsTheWatchOfThisOne() {
        Runnable stop = observe();
        list();
        observeOther();

        stop.run();

        assertThat(wire.open()).containsExactly("unwatch " + LINE);
    }

    @Test
    void audit_twoLinesObserved_eachIsComparedWithItsOwn() {
        begin(FIRST);
        read(FIRST, 11, "a");
        observeOther();
        wire.sent.clear();

        audit(Map.of(FIRST, "a"));

        assertThat(told).containsExactly("11 a", "nobody");
        assertThat(wire.sent).contains("children " + OTHER_LINE).noneMatch(request -> request.startsWith("follow"));
    }

    /** A minute passes, with everything answered as if this were the line, each with what it says. */
    private void audit(Map<String, String> line) {
        for (int second = 0; second < 60; second++) {
            wire.pass(Duration.ofSeconds(1));
            List.copyOf(wire.open()).forEach(request -> answer(request, line));
        }
    }

    private void answer(String request, Map<String, String> line) {
        String name = request.substring(request.lastIndexOf('/') + 1);
        if (request.endsWith(OTHER_LINE)) {
            wire.answer(request, Code.NONODE, null);
        } else if (request.startsWith("children")) {
            wire.answer(request, line.isEmpty() ? Code.NONODE : Code.OK, List.copyOf(line.keySet()));
        } else if (!request.startsWith("read")) {
            wire.answer(request, Code.OK, null);
        } else if (line.containsKey(name)) {
            long czxid = 10 + Long.parseLong(name.substring(name.lastIndexOf('-') + 1));
            wire.answer(request, Code.OK, node(name, czxid, line.get(name)));
        } else if (request.startsWith("read " + LINE)) {
            wire.answer(request, Code.NONODE, null);
        } else {
            wire.answer(request, Code.OK, new Node("/app", new byte[0], 1, 1, 1, 0, 0, 0));
        }
    }

    /** As after some joins that found others ahead. */
    private void follow() {
        Following following = session.followings().of(LINE);
        for (int i = 0; i < 10 && wire.open().isEmpty(); i++) {
            following.joined(1);
            following.joining();
        }
        assertThat(wire.open()).containsExactly("follow " + LINE);
    }

    private Runnable observe() {
        return observe("elections/boss");
    }

    /** Another line, in which nobody stands. */
    private void observeOther() {
        observe("elections/other");
        wire.answer("follow " + OTHER_LINE, Code.OK, null);
        wire.answer("children " + OTHER_LINE, Code.OK, List.of());
    }

    private Runnable observe(String line) {
        return session.observe(
                Line.of(line),
                first -> told.add(
                        first.map(entry -> entry.token() + " " + new String(entry.payload(), StandardCharsets.UTF_8))
                                .orElse("nobody")));
    }

    private void begin(String... names) {
        observe();
        list(names);
    }

    private void list(String... names) {
        wire.answer("follow " + LINE, Code.OK, null);
        wire.answer("children " + LINE, Code.OK, List.of(names));
    }

    private void read(String name, long czxid, String data) {
        wire.answer("read " + LINE + "/" + name, Code.OK, node(name, czxid, data));
    }

    private static Node node(String name, long czxid, String data) {
        return new Node(LINE + "/" + name, data.getBytes(StandardCharsets.UTF_8), czxid, czxid, czxid, 0, 0, 5);
    }

    private void appears(String name) {
        wire.tell(LINE + "/" + name, Change.CREATED);
    }

    private void goes(String name) {
        wire.tell(LINE + "/" + name, Change.DELETED);
    }

    /** The contact breaks and comes back; what else goes out then is answered. */
    private void reconnect() {
        wire.lose();
        wire.connect();
        while (!wire.open().get(0).startsWith("follow")) {
            wire.answer(wire.open().get(0), Code.OK, new Node("/app", new byte[0], 1, 1, 1, 0, 0, 0));
        }
    }
}
