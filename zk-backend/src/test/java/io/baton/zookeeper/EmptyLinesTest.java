package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Dialect;
import io.baton.spi.HeadListener;
import io.baton.spi.Line;
import io.baton.spi.Place;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the node of a line that was left is removed, and when not. */
class EmptyLinesTest {

    private static final String ORDERS = "/app/locks/orders";
    private static final Duration A_LITTLE = Duration.ofMillis(100);

    private final ScriptedWire wire = new ScriptedWire();
    private final List<String> entries = new ArrayList<>();
    private ZkSession session;
    private boolean linesAreThere = true;

    @BeforeEach
    void connect() {
        session = wire.session(new DeafListener());
        wire.connect();
        wire.answer("read /app", Code.OK, node(0, 0));
    }

    @Test
    void left_lastToHaveJoined_lineIsDeletedAfterAWhile() {
        useOnce("orders", 4);

        quiet(EmptyLines.QUIET.minus(A_LITTLE));
        assertThat(ofLines(wire.open())).isEmpty();
        quiet(A_LITTLE.multipliedBy(2));

        wire.answer("read " + ORDERS, Code.OK, node(0, 5));
        assertThat(ofLines(wire.open())).containsExactly("delete " + ORDERS);
    }

    @Test
    void left_othersHaveJoinedSince_isTheirs() {
        useOnce("orders", 4);
        quiet(EmptyLines.QUIET);

        wire.answer("read " + ORDERS, Code.OK, node(0, 6));

        assertThat(ofLines(wire.open())).isEmpty();
    }

    @Test
    void left_somebodyStandsThere_staysAsItIs() {
        useOnce("orders", 4);
        quiet(EmptyLines.QUIET);

        wire.answer("read " + ORDERS, Code.OK, node(1, 5));

        assertThat(ofLines(wire.open())).isEmpty();
    }

    @Test
    void left_nodeHasData_staysAsItIs() {
        useOnce("orders", 4);
        quiet(EmptyLines.QUIET);

        wire.answer("read " + ORDERS, Code.OK, new Node(ORDERS, new byte[1], 1, 1, 1, 0, 0, 5, 0));

        assertThat(ofLines(wire.open())).isEmpty();
    }

    @Test
    void left_usedAgainAndAgain_asksNothing() {
        for (int use = 0; use < 20; use++) {
            useOnce("orders", use);
            quiet(Duration.ofSeconds(1));
        }

        assertThat(wire.sent).doesNotContain("read " + ORDERS, "delete " + ORDERS);
    }

    @Test
    void left_anotherPlaceOfOursStandsThere_waitsForThatOne() {
        Place first = join("orders", 4, List.of());
        Place second = join("orders", 5, List.of(name(4)));
        leave(second);
        quiet(EmptyLines.QUIET.multipliedBy(3));
        assertThat(wire.sent).doesNotContain("read " + ORDERS);

        leave(first);
        quiet(EmptyLines.QUIET);

        wire.answer("read " + ORDERS, Code.OK, node(0, 6)); // the newest entry was the second one's
        assertThat(ofLines(wire.open())).containsExactly("delete " + ORDERS);
    }

    @Test
    void left_joinedAgainWhileItIsLookedAt_isNotDeleted() {
        useOnce("orders", 4);
        quiet(EmptyLines.QUIET);
        session.join(Line.of("locks/orders"), new byte[0], new LinePlaceTest.Unheard());

        wire.answer("read " + ORDERS, Code.OK, node(0, 5));

        assertThat(wire.sent).doesNotContain("delete " + ORDERS);
    }

    @Test
    void left_weObserveTheLine_isNotLookedAt() {
        Runnable stop = session.observe(Line.of("locks/orders"), (HeadListener) head -> {});
        answerAll();
        wire.sent.clear();
        useOnce("orders", 4);

        quiet(EmptyLines.QUIET.multipliedBy(3));
        assertThat(wire.sent).doesNotContain("read " + ORDERS);
        stop.run();
        quiet(EmptyLines.QUIET);

        assertThat(wire.sent).contains("read " + ORDERS);
    }

    @Test
    void left_lineAtAnExactPath_isNotOurs() {
        Place place = session.join(Line.at("/legacy/orders", Dialect.BATON), new byte[0], new LinePlaceTest.Unheard());
        wire.answer("read /legacy/orders", Code.OK, new Node("/legacy/orders", new byte[0], 1, 1, 1, 0, 0, 4, 0));
        wire.sent.clear();
        String create = wire.open().get(0);
        wire.answer(create, Code.OK, entry(create.substring("create ".length()) + number(4)));
        wire.answer("children /legacy/orders", Code.NONODE, null);
        answerAll();
        place.leave();
        answerAll();

        quiet(EmptyLines.QUIET.multipliedBy(3));
        session.close();
        wire.pass(Duration.ZERO);

        assertThat(wire.sent).doesNotContain("read /legacy/orders", "delete /legacy/orders");
    }

    @Test
    void left_lineMadeAndNeverJoined_isDeleted() {
        Place place = session.join(Line.of("locks/orders"), new byte[0], new LinePlaceTest.Unheard());
        wire.answer("read " + ORDERS, Code.NONODE, null);
        place.leave();
        wire.answer("create " + ORDERS, Code.OK, node(0, 0));
        wire.pass(Duration.ZERO);
        assertThat(ofLines(wire.open())).isEmpty();

        quiet(EmptyLines.QUIET);

        wire.answer("read " + ORDERS, Code.OK, node(0, 0));
        assertThat(ofLines(wire.open())).containsExactly("delete " + ORDERS);
    }

    @Test
    void left_chrootIsMadeByOthersAndTheLineWasThere_staysAsItIs() {
        connectWithoutMakingTheChroot();
        useOnce("orders", 4);

        quiet(EmptyLines.QUIET.multipliedBy(3));
        session.close();
        wire.pass(Duration.ZERO);

        assertThat(wire.sent).doesNotContain("read " + ORDERS, "delete " + ORDERS);
    }

    @Test
    void left_chrootIsMadeByOthersAndTheLineByUs_isDeleted() {
        connectWithoutMakingTheChroot();
        Place place = session.join(Line.of("locks/orders"), new byte[0], new LinePlaceTest.Unheard());
        wire.answer("read " + ORDERS, Code.NONODE, null);
        place.leave();
        wire.answer("create " + ORDERS, Code.OK, node(0, 0));
        wire.pass(Duration.ZERO);
        wire.sent.clear();

        quiet(EmptyLines.QUIET);

        assertThat(wire.sent).contains("read " + ORDERS);
    }

    @Test
    void left_manyLines_looksAtAFewAtATime() {
        for (int i = 0; i < 100; i++) {
            useOnce("many-" + i, 0);
        }

        wire.pass(EmptyLines.QUIET);
        assertThat(ofLines(wire.open())).hasSize(EmptyLines.WINDOW);
        answerAll();

        assertThat(wire.sent)
                .filteredOn(request -> request.matches("delete /app/locks/many-\\d+"))
                .hasSize(100);
    }

    @Test
    void left_moreLinesThanAreRemembered_theFirstAreLookedAtAtOnce() {
        for (int i = 0; i < EmptyLines.MOST + 3; i++) {
            useOnce("many-" + i, 0);
        }

        assertThat(wire.sent)
                .filteredOn(request -> request.startsWith("read /app/locks"))
                .containsExactly("read /app/locks/many-0", "read /app/locks/many-1", "read /app/locks/many-2");
    }

    @Test
    void left_outOfContact_looksOnceThereIsContactAgain() {
        useOnce("orders", 4);
        wire.lose();
        wire.pass(EmptyLines.QUIET.multipliedBy(2));
        assertThat(wire.sent).doesNotContain("read " + ORDERS);

        wire.connect();
        quiet(EmptyLines.QUIET);

        assertThat(wire.sent).contains("read " + ORDERS);
    }

    @Test
    void left_lookOrDeletionFails_isForgotten() {
        useOnce("orders", 4);
        useOnce("others", 4);
        quiet(EmptyLines.QUIET);

        wire.answer("read " + ORDERS, Code.NOAUTH, null);
        wire.answer("read /app/locks/others", Code.OK, node(0, 5));
        quiet(Duration.ZERO);
        wire.answer("delete /app/locks/others", Code.NOAUTH, null);
        quiet(EmptyLines.QUIET.multipliedBy(3));

        assertThat(wire.sent)
                .filteredOn(request -> request.equals("read " + ORDERS))
                .hasSize(1);
        assertThat(wire.sent).filteredOn(("delete /app/locks/others")::equals).hasSize(1);
    }

    @Test
    void close_linesLeft_areDeletedAheadOfTheSessionsEnd() {
        linesAreThere = false;
        useOnce("orders", 4);
        join("held", 4, List.of());
        useOnce("others", 4);

        session.close();
        wire.pass(Duration.ZERO);

        assertThat(ofLines(wire.open())).containsExactly("delete " + ORDERS, "delete /app/locks/others");
    }

    @Test
    void close_linesMadeByOthers_mayHaveDataAndStay() {
        useOnce("orders", 4);

        session.close();
        wire.pass(Duration.ZERO);

        assertThat(ofLines(wire.open())).isEmpty();
    }

    @Test
    void close_releaseNotYetConfirmed_lineIsDeletedBehindIt() {
        linesAreThere = false;
        Place place = join("orders", 4, List.of());
        place.leave();

        session.close();
        wire.pass(Duration.ZERO);

        assertThat(ofLines(wire.open())).containsExactly("delete " + ORDERS + "/" + name(4), "delete " + ORDERS);
    }

    @Test
    void close_manyLines_aBoundedNumberIsDeleted() {
        linesAreThere = false;
        for (int i = 0; i < EmptyLines.MOST_AT_CLOSE + 100; i++) {
            useOnce("many-" + i, 0);
        }

        session.close();
        wire.pass(Duration.ZERO);

        assertThat(wire.open()).hasSize(EmptyLines.MOST_AT_CLOSE);
    }

    @Test
    void close_outOfContact_asksNothing() {
        useOnce("orders", 4);
        wire.lose();

        session.close();
        wire.pass(Duration.ZERO);

        assertThat(wire.sent).doesNotContain("delete " + ORDERS);
    }

    private void connectWithoutMakingTheChroot() {
        session = wire.sessionThatMakesNoChroot(new DeafListener());
        wire.sent.clear();
        wire.connect();
        wire.answer("read /app", Code.OK, node(0, 0));
    }

    private void useOnce(String lock, int number) {
        leave(join(lock, number, List.of()));
    }

    /** Joins as the entry of this number, behind these. */
    private Place join(String lock, int number, List<String> ahead) {
        Place place = session.join(Line.of("locks/" + lock), new byte[0], new LinePlaceTest.Unheard());
        if (wire.open().get(0).startsWith("read")) { // nothing is known of the line
            wire.answer("read /app/locks/" + lock, linesAreThere ? Code.OK : Code.NONODE, node(0, 0));
            wire.sent.remove(wire.sent.lastIndexOf("read /app/locks/" + lock)); // is not what these tests are about
        }
        if (wire.open().get(0).equals("create /app/locks/" + lock)) {
            wire.answer("create /app/locks/" + lock, Code.OK, node(0, 0));
            wire.pass(Duration.ZERO);
        }
        String create = wire.open().get(0);
        String path = create.substring("create ".length()) + number(number);
        wire.answer(create, Code.OK, entry(path));
        var names = new ArrayList<>(ahead);
        names.add(path.substring(path.lastIndexOf('/') + 1));
        entries.add(path.substring(path.lastIndexOf('/') + 1));
        wire.answer("children /app/locks/" + lock, Code.OK, names);
        answerAll();
        return place;
    }

    /** The full name of the entry of ours with this number. */
    private String name(int number) {
        return entries.stream()
                .filter(name -> name.endsWith(number(number)))
                .findFirst()
                .orElseThrow();
    }

    private void leave(Place place) {
        place.leave();
        answerAll();
    }

    /** So much time passes, and signs of life are answered. */
    private void quiet(Duration time) {
        wire.pass(time);
        while (!wire.open().isEmpty() && isSignOfLife(wire.open().get(0))) {
            answerNext();
        }
    }

    private static boolean isSignOfLife(String request) {
        return request.equals("read /app") || request.startsWith("multi");
    }

    private void answerAll() {
        while (!wire.open().isEmpty()) {
            answerNext();
        }
    }

    private void answerNext() {
        String request = wire.open().get(0);
        if (request.startsWith("read")) {
            wire.answer(request, Code.OK, node(0, 1));
        } else if (request.startsWith("watch")) {
            wire.answer(request, Code.OK, entry(request.substring("watch ".length())));
        } else if (request.startsWith("children")) {
            wire.answer(request, Code.OK, List.of());
        } else {
            wire.answer(request, Code.OK, null);
        }
    }

    private static List<String> ofLines(List<String> requests) {
        return requests.stream()
                .filter(request -> request.contains("/app/locks/"))
                .toList();
    }

    private static String number(int number) {
        return String.format("%010d", number);
    }

    /** The line's node. */
    private static Node node(int children, int made) {
        return new Node(ORDERS, new byte[0], 1, 1, 1, 0, children, made, 0);
    }

    private static Node entry(String path) {
        return new Node(path, new byte[0], 9, 9, 9, 0, 0, ScriptedWire.SESSION);
    }
}
