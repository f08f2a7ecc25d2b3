package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.StoreUnavailableException;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.support.AdaptiveLimit;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a session's single requests have in flight, and what becomes of them in a break. */
class SessionRequestsTest {

    private static final int WINDOW = 3;
    private static final int MANY = 20;
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Peer HOLDER = new Peer(Line.of("locks/l"), "one", 7);
    private static final String ROOT = "/app";
    private static final String READ = "read /app/tck/a";

    private final ScriptedWire wire = new ScriptedWire();
    private ZkSession session;

    @BeforeEach
    void connect() {
        wire.window = () -> AdaptiveLimit.fixed(WINDOW);
        session = wire.session(new DeafListener());
        wire.connect();
        wire.answer("read " + ROOT, Code.OK, node(ROOT, new byte[0]));
    }

    @Test
    void transact_manyAtOnce_aWindowOfThemIsUnderWayAndAllAreSentInOrder() {
        List<CompletableFuture<Boolean>> all =
                IntStream.range(0, MANY).mapToObj(n -> put("tck", "r" + n)).toList();
        assertThat(multis()).hasSize(WINDOW);

        for (int n = 0; n < MANY; n++) {
            wire.answer("multi [/app/tck/r" + n + "]", Code.OK, null);
        }

        assertThat(all).allSatisfy(each -> assertThat(each).isCompletedWithValue(true));
    }

    @Test
    void transact_ofSeveralTreesOrRemovingAnEntry_areSentInTheOrderAskedFor() {
        fillTheWindow();
        put("one", "a");
        put("one", "b");
        put("two", "c");
        session.getValue(key("three", "d"));
        session.transact(List.of(), List.of(Op.put(key("one", "e"), "x")), List.of(HOLDER), LONG);
        session.transact(List.of(), List.of(), List.of(HOLDER), LONG);
        put("two", "f");

        wire.sent.clear();
        while (!wire.open().isEmpty()) {
            wire.answer(wire.open().get(0), Code.NOAUTH, null);
        }

        assertThat(wire.sent)
                .containsExactly(
                        "multi [/app/one/a]",
                        "multi [/app/one/b]",
                        "multi [/app/two/c]",
                        "read /app/three/d",
                        "multi [/app/one/e, /app/locks/l/one]",
                        "multi [/app/locks/l/one]",
                        "multi [/app/two/f]");
    }

    @Test
    void get_manyAtOnce_aWindowOfThemIsUnderWay() {
        for (int n = 0; n < MANY; n++) {
            session.getValue(key("tck", "a"));
        }

        assertThat(wire.open()).hasSize(WINDOW).containsOnly(READ);
    }

    @Test
    void isFree_manyWritesAreQueued_waitsForRoomOnly() {
        IntStream.range(0, MANY).forEach(n -> put("tck", "r" + n));
        session.isFree(Line.of("locks/l"), Claim.EXCLUSIVE);

        wire.answer("multi [/app/tck/r0]", Code.OK, null);
        wire.answer("multi [/app/tck/r1]", Code.OK, null);

        assertThat(wire.open()).contains("read /app/locks/l");
    }

    @Test
    void get_largeRecords_areReadOneByOne() {
        session.getValue(key("tck", "a"));
        wire.answer(READ, Code.OK, node("/app/tck/a", new byte[RequestWindow.MOST_BYTES + 1]));

        for (int n = 0; n < MANY; n++) {
            session.getValue(key("tck", "a"));
        }

        assertThat(wire.open()).containsExactly(READ);
    }

    @Test
    void transact_largeValues_areSentOneByOne() {
        for (int n = 0; n < MANY; n++) {
            session.transact(List.of(), List.of(Op.put(key("tck", "a"), new byte[RequestWindow.MOST_BYTES])));
        }

        assertThat(multis()).hasSize(1);
    }

    @Test
    void transact_callersTimeIsOver_keepsItsRoomUntilItIsAnswered() {
        List<CompletableFuture<Boolean>> first = IntStream.range(0, WINDOW)
                .mapToObj(n -> session.transact(List.of(), List.of(Op.put(key("tck", "r" + n), "x")), List.of(), SHORT)
                        .toCompletableFuture())
                .toList();
        wire.pass(SHORT);
        assertThat(first).allSatisfy(each -> assertThat(each).isCompletedExceptionally());

        put("tck", "later");
        assertThat(multis()).hasSize(WINDOW);

        wire.answer(wire.open().get(0), Code.OK, null);
        assertThat(multis()).contains("multi [/app/tck/later]");
    }

    @Test
    void transact_connectionBreaks_queuedOnesAreSentOnTheNextAndTheirOutcomeIsKnown() {
        List<CompletableFuture<Boolean>> all = IntStream.range(0, 2 * WINDOW)
                .mapToObj(n -> put("tck", "r" + n))
                .toList();

        wire.lose();
        wire.connect();
        wire.pass(Duration.ZERO);
        for (String request : wire.open()) {
            wire.answer(request, Code.OK, request.startsWith("read") ? node(ROOT, new byte[0]) : null);
        }

        assertThat(all.subList(0, WINDOW))
                .allSatisfy(each -> assertThatThrownBy(each::join).hasCauseInstanceOf(OutcomeUnknownException.class));
        assertThat(all.subList(WINDOW, 2 * WINDOW))
                .allSatisfy(each -> assertThat(each).isCompletedWithValue(true));
    }

    @Test
    void get_brokeTheConnection_isSentBehindTheFirstBeatOfTheNext() {
        session.countProofUser(true);
        session.getValue(key("tck", "a"));

        wire.lose();
        wire.connect();
        wire.pass(Duration.ZERO);

        List<String> sent = wire.open();
        assertThat(sent).contains("multi [/app]", READ);
        assertThat(sent.indexOf("multi [/app]")).isLessThan(sent.indexOf(READ));
    }

    @Test
    void get_brokeTheConnectionAheadOfABeat_isSentBehindThatOnTheNext() {
        session.countProofUser(true);
        session.getValue(key("tck", "a"));
        wire.pass(SHORT);
        assertThat(wire.open()).containsSubsequence(READ, "multi [/app]");

        breakAndComeBack();

        assertThat(wire.open()).containsSubsequence("multi [/app]", READ);
    }

    @Test
    void get_connectionBreaksAgainAndAgainDuringIt_failsAndNamesTheLimit() {
        CompletableFuture<Optional<byte[]>> large =
                session.getValue(key("tck", "a")).toCompletableFuture();
        breakAndComeBack();
        breakAndComeBack();
        assertThat(large).isNotDone();

        breakAndComeBack();

        assertThatThrownBy(large::join)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("jute.maxbuffer", String.valueOf(wire.maxAnswer()));
        assertThat(wire.open()).doesNotContain(READ);
    }

    @Test
    void get_contactBreaksOnceAndItIsAnsweredThen_isTheRecord() {
        CompletableFuture<Optional<Item>> asked = session.get(key("tck", "a")).toCompletableFuture();
        breakAndComeBack();
        for (String request : wire.open()) {
            wire.answer(request, Code.OK, request.startsWith("read") ? node(request.substring(5), new byte[1]) : null);
        }

        assertThat(asked).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void get_behindOneThatBreaksTheConnection_isAnsweredAndOnlyTheOtherFails() {
        CompletableFuture<?> large = session.getValue(key("tck", "a")).toCompletableFuture();
        CompletableFuture<?> small = session.getValue(key("tck", "b")).toCompletableFuture();
        breakAndComeBack();
        assertThat(wire.open()).contains(READ).doesNotContain("read /app/tck/b");
        breakAndComeBack();

        assertThat(wire.open()).contains("read /app/tck/b").doesNotContain(READ);
        for (String request : wire.open()) {
            wire.answer(request, Code.OK, request.startsWith("read") ? node(request.substring(5), new byte[1]) : null);
        }
        breakAndComeBack();

        assertThat(small).isCompleted();
        assertThatThrownBy(large::join).hasMessageContaining("tck/a");
    }

    @Test
    void get_contactBreaksAgainJustAfterAReconnect_isSentBehindTheFirstBeatOfTheNext() {
        session.countProofUser(true);
        session.getValue(key("tck", "a"));

        wire.lose();
        wire.connect();
        wire.lose();
        wire.pass(Duration.ZERO);
        breakAndComeBack();

        assertThat(wire.open()).containsSubsequence("multi [/app]", READ);
    }

    @Test
    void isFree_brokeTheConnection_isSentBehindTheFirstBeatAndNotForEver() {
        assertSuspected(session.isFree(Line.of("locks/l"), Claim.EXCLUSIVE), "read /app/locks/l");
    }

    @Test
    void details_brokeTheConnection_isSentBehindTheFirstBeatAndNotForEver() {
        assertSuspected(session.details(HOLDER), "read /app/locks/l/one");
    }

    @Test
    void askToRelease_brokeTheConnection_isSentBehindTheFirstBeatAndNotForEver() {
        var owner = new Peer(Line.at("/legacy/l", ZooKeeperDialects.CURATOR, Line.Kind.MUTEX), "one", 7);

        assertSuspected(session.askToRelease(owner, LONG), "multi [/legacy/l/one]");
    }

    private void assertSuspected(CompletionStage<?> asked, String request) {
        session.countProofUser(true);
        breakAndComeBack();
        assertThat(wire.open()).containsSubsequence("multi [/app]", request);
        breakAndComeBack();
        assertThat(asked.toCompletableFuture()).isNotDone();

        breakAndComeBack();

        assertThat(asked.toCompletableFuture()).isCompletedExceptionally();
        assertThat(wire.open()).doesNotContain(request);
    }

    private void fillTheWindow() {
        IntStream.range(0, WINDOW).forEach(n -> put("tck", "r" + n));
    }

    private void breakAndComeBack() {
        wire.lose();
        wire.connect();
        wire.pass(Duration.ZERO);
    }

    private CompletableFuture<Boolean> put(String tree, String name) {
        return session.transact(List.of(), List.of(Op.put(key(tree, name), "x")))
                .toCompletableFuture();
    }

    private List<String> multis() {
        var multis = new ArrayList<>(wire.open());
        multis.removeIf(request -> !request.startsWith("multi"));
        return multis;
    }

    private static RecordKey key(String tree, String name) {
        return new RecordKey(tree, name);
    }

    private static Node node(String path, byte[] data) {
        return new Node(path, data, 9, 9, 9, 0, 0, 0);
    }
}
