package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.spi.Condition;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.zookeeper.wire.Packet;
import io.baton.zookeeper.wire.ZkWire.Node;
import io.baton.zookeeper.wire.ZkWire.ZkOp;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a transaction sends, and what it makes of the part that a server refuses. */
class TransactionTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final String ROOT = "/app";
    private static final String TREE = "/app/tck";
    private static final RecordKey A = new RecordKey("tck", "a");
    private static final RecordKey B = new RecordKey("tck", "b");
    private static final Peer HOLDER = new Peer(Line.of("locks/l"), "one", 7);
    private static final Condition STANDS = new Condition.Stands(HOLDER);
    private static final Condition A_UNCHANGED = unchanged(A, 3, 40);
    private static final Condition B_ABSENT = new Condition.Absent(B);

    private final ScriptedWire wire = new ScriptedWire();
    private final ZkSession session = wire.session(new DeafListener());

    @BeforeEach
    void connect() {
        wire.connect();
        wire.answer("read " + ROOT, Code.OK, node(ROOT, 0));
    }

    @Test
    void transact_everyCondition_isCheckedBeforeWhatFollows() {
        var answer = transact(List.of(STANDS, A_UNCHANGED, B_ABSENT), Op.put(A, "x"));

        assertThat(sent())
                .containsExactly(
                        "check /app/locks/l/one -1",
                        "check /app/tck 40",
                        "check /app/tck/a 3",
                        "create /app/tck/b ",
                        "delete /app/tck/b -1",
                        "write /app/tck/a x -1");
        succeed();
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void transact_twoUnchangedInOneTree_checksTheTreeOnce() {
        transact(List.of(A_UNCHANGED, unchanged(B, 5, 40)), Op.put(A, "x"));

        assertThat(sent()).startsWith("check /app/tck 40", "check /app/tck/a 3", "check /app/tck/b 5");
    }

    @Test
    void transact_twoUnchangedOfDifferentTimes_checksBothVersionsOfTheTree() {
        transact(List.of(A_UNCHANGED, unchanged(B, 5, 41)), Op.put(A, "x"));

        assertThat(sent())
                .startsWith("check /app/tck 40", "check /app/tck/a 3", "check /app/tck 41", "check /app/tck/b 5");
    }

    @Test
    void put_requiredAbsent_isACreateAndNothingElse() {
        transact(List.of(B_ABSENT), Op.put(B, "x"));

        assertThat(sent()).containsExactly("create /app/tck/b x");
    }

    @Test
    void delete_requiredAbsent_isACreateAndADelete() {
        transact(List.of(B_ABSENT), Op.delete(B));

        assertThat(sent()).containsExactly("create /app/tck/b ", "delete /app/tck/b -1");
    }

    @Test
    void delete_raisesTheVersionOfTheTree() {
        transact(List.of(), Op.delete(A));

        assertThat(sent()).containsExactly("delete /app/tck/a -1", "write /app/tck  -1");
    }

    @Test
    void put_recordIsMissing_createsItInstead() {
        var answer = transact(List.of(), Op.put(A, "x"));
        assertThat(sent()).containsExactly("write /app/tck/a x -1");

        refuse(Code.NONODE, 0);
        assertThat(sent()).containsExactly("create /app/tck/a x");
        refuse(Code.NODEEXISTS, 0);
        assertThat(sent()).containsExactly("write /app/tck/a x -1");
        succeed();
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void delete_recordIsMissing_showsItsAbsenceInstead() {
        var answer = transact(List.of(), Op.delete(A));

        refuse(Code.NONODE, 0);
        assertThat(sent()).containsExactly("create /app/tck/a ", "delete /app/tck/a -1");
        refuse(Code.NODEEXISTS, 0);
        assertThat(sent()).containsExactly("delete /app/tck/a -1", "write /app/tck  -1");
        succeed();
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void put_recordComesAndGoesAllTheTime_endsAfterSomeAttemptsUnapplied() {
        var answer = transact(List.of(), Op.put(A, "x"));
        for (int i = 0; i < 11; i++) {
            refuse(Code.NONODE, 0);
            assertThat(answer).isNotDone();
            refuse(Code.NODEEXISTS, 0);
        }

        assertThat(failure(answer))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("created and deleted all the time");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void guard_missingOrOfAnotherVersion_isFalse() {
        for (Code code : List.of(Code.NONODE, Code.BADVERSION)) {
            var stands = transact(List.of(STANDS), Op.put(A, "x"));
            refuse(code, 0);
            assertThat(stands).isCompletedWithValue(false);
            var unchanged = transact(List.of(A_UNCHANGED), Op.put(A, "x"));
            refuse(code, 1);
            assertThat(unchanged).isCompletedWithValue(false);
        }
    }

    @Test
    void guard_refusedForAnotherReason_fails() {
        var answer = transact(List.of(STANDS), Op.put(A, "x"));

        refuse(Code.NOAUTH, 0);

        assertThat(failure(answer)).isInstanceOf(CoordinationException.class).hasMessageContaining("/app/locks/l/one");
    }

    @Test
    void requiredAbsent_isThere_isFalse() {
        var alone = transact(List.of(B_ABSENT), Op.put(A, "x"));
        refuse(Code.NODEEXISTS, 0);
        assertThat(alone).isCompletedWithValue(false);

        var written = transact(List.of(B_ABSENT), Op.put(B, "x"));
        refuse(Code.NODEEXISTS, 0);
        assertThat(written).isCompletedWithValue(false);
    }

    @Test
    void treeVersion_treeIsMissing_isFalse() {
        var answer = transact(List.of(A_UNCHANGED), Op.put(A, "x"));

        refuse(Code.NONODE, 0);

        assertThat(answer).isCompletedWithValue(false);
    }

    @Test
    void treeVersion_risenAndTheRecordIsTheSame_isSentAgainWithTheNewOne() {
        var answer = transact(List.of(A_UNCHANGED), Op.put(A, "x"));

        refuse(Code.BADVERSION, 0);
        wire.answer("read " + TREE, Code.OK, node(TREE, 41));
        wire.answer("read /app/tck/a", Code.OK, node("/app/tck/a", 3));

        assertThat(answer).isNotDone();
        assertThat(sent()).containsExactly("check /app/tck 41", "check /app/tck/a 3", "write /app/tck/a x -1");
        succeed();
        assertThat(answer).isCompletedWithValue(true);
    }

    /** The multi has compared the version and raised it; the next one compares with that. */
    @Test
    void tell_comparedRecord_hasTheNextVersionAndTheTransaction() {
        var answer = session.transactAndTell(List.of(A_UNCHANGED), List.of(Op.put(A, "x"), Op.put(B, "y")), LONG);
        refuse(Code.BADVERSION, 0);
        wire.answer("read " + TREE, Code.OK, node(TREE, 41));
        wire.answer("read /app/tck/a", Code.OK, node("/app/tck/a", 3));
        wire.answer(wire.open().get(0), Code.OK, 77L);

        Item written = answer.toCompletableFuture().join().orElseThrow().get(0);
        assertThat(answer.toCompletableFuture().join().orElseThrow()).hasSize(1);
        assertThat(written.key()).isEqualTo(A);
        assertThat(written.text()).isEqualTo("x");
        var read = new Node("/app/tck/a", new byte[0], 9, 77, 9, 4, 0, 0);
        assertThat(written.revision()).isEqualTo(new ZkRevision(read, 41));
        assertThat(written.revision().order()).isEqualTo(77);

        transact(List.of(new Condition.Unchanged(A, written.revision())), Op.put(A, "z"));
        assertThat(sent()).containsExactly("check /app/tck 41", "check /app/tck/a 4", "write /app/tck/a z -1");
    }

    @Test
    void tell_versionIsNotKnownAfterwards_isNotTold() {
        for (List<Op> ops : List.of(List.of(Op.put(A, "x"), Op.delete(B)), List.of(Op.put(A, "x"), Op.put(A, "y")))) {
            var answer = session.transactAndTell(List.of(A_UNCHANGED), ops, LONG);
            wire.answer(wire.open().get(0), Code.OK, 77L);
            assertThat(answer.toCompletableFuture().join()).hasValue(List.of());
        }
    }

    /** Servers differ in what comes after -2, and a check of -1 compares nothing. */
    @Test
    void tell_versionPastTheLargest_isNotTold() {
        var answer = session.transactAndTell(List.of(unchanged(A, -2, 40)), List.of(Op.put(A, "x")), LONG);
        wire.answer(wire.open().get(0), Code.OK, 77L);

        assertThat(answer.toCompletableFuture().join()).hasValue(List.of());
    }

    @Test
    void treeVersion_risenAndTwoRecordsAreTheSame_isSentAgainOnceBothAreRead() {
        var answer = transact(List.of(A_UNCHANGED, unchanged(B, 5, 40)), Op.put(A, "x"));

        refuse(Code.BADVERSION, 0);
        for (String record : records()) {
            assertThat(wire.open()).noneMatch(request -> request.startsWith("multi"));
            wire.answer("read " + TREE, Code.OK, node(TREE, 41));
            wire.answer("read " + record, Code.OK, node(record, record.endsWith("a") ? 3 : 5));
        }

        assertThat(sent()).startsWith("check /app/tck 41", "check /app/tck/a 3", "check /app/tck/b 5");
        succeed();
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void treeVersion_risenAndTheRecordIsAnother_isFalse() {
        var answer = transact(List.of(A_UNCHANGED), Op.put(A, "x"));

        refuse(Code.BADVERSION, 0);
        wire.answer("read " + TREE, Code.OK, node(TREE, 41));
        wire.answer("read /app/tck/a", Code.OK, new Node("/app/tck/a", new byte[0], 99, 99, 99, 3, 0, 0));

        assertThat(answer).isCompletedWithValue(false);
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void treeVersion_risenAndTheRecordIsGone_isFalse() {
        var answer = transact(List.of(A_UNCHANGED), Op.put(A, "x"));

        refuse(Code.BADVERSION, 0);
        wire.answer("read " + TREE, Code.OK, node(TREE, 41));
        wire.answer("read /app/tck/a", Code.NONODE, null);

        assertThat(answer).isCompletedWithValue(false);
    }

    /** The multi was refused as a whole, so nothing was applied. */
    @Test
    void treeVersion_risenAndTheConnectionBreaksThen_isUnavailable() {
        var answer = transact(List.of(A_UNCHANGED), Op.put(A, "x"));

        refuse(Code.BADVERSION, 0);
        wire.lose();

        assertThat(failure(answer)).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void treeVersion_risenAndTheRecordMayNotBeRead_saysSo() {
        var answer = transact(List.of(A_UNCHANGED), Op.put(A, "x"));

        refuse(Code.BADVERSION, 0);
        wire.answer("read " + TREE, Code.OK, node(TREE, 41));
        wire.answer("read /app/tck/a", Code.NOAUTH, null);

        assertThat(failure(answer)).isInstanceOf(CoordinationException.class).hasMessageContaining("/app/tck/a");
    }

    @Test
    void create_treeIsMissing_makesItAndIsSentAgain() {
        var answer = transact(List.of(), Op.put(A, "x"));

        refuse(Code.NONODE, 0);
        refuse(Code.NONODE, 0);
        wire.answer("create " + ROOT, Code.NODEEXISTS, null);
        wire.answer("create " + TREE, Code.OK, node(TREE, 0));

        assertThat(sent()).containsExactly("create /app/tck/a x");
        succeed();
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void create_requiredAbsentAndTreeIsMissing_makesItAndIsSentAgain() {
        var answer = transact(List.of(B_ABSENT), Op.put(B, "x"));

        refuse(Code.NONODE, 0);
        wire.answer("create " + ROOT, Code.NODEEXISTS, null);
        wire.answer("create " + TREE, Code.OK, node(TREE, 0));

        assertThat(answer).isNotDone();
        assertThat(sent()).containsExactly("create /app/tck/b x");
    }

    @Test
    void create_treeIsMissingAndMayNotBeMade_saysSo() {
        var answer = transact(List.of(), Op.put(A, "x"));

        refuse(Code.NONODE, 0);
        refuse(Code.NONODE, 0);
        wire.answer("create " + ROOT, Code.NODEEXISTS, null);
        wire.answer("create " + TREE, Code.NOAUTH, null);

        assertThat(failure(answer)).isInstanceOf(CoordinationException.class).hasMessageContaining(TREE);
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void create_treeMayNotBeMadeForAQuota_isUnavailable() {
        var answer = transact(List.of(), Op.put(A, "x"));

        refuse(Code.NONODE, 0);
        refuse(Code.NONODE, 0);
        wire.answer("create " + ROOT, Code.NODEEXISTS, null);
        wire.answer("create " + TREE, Code.QUOTAEXCEEDED, null);

        assertThat(failure(answer))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("quota");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void transact_serverIsTooBusy_isSentAgainAfterAWhile() {
        var answer = transact(List.of(), Op.put(A, "x"));

        refuse(Code.THROTTLEDOP, -1);
        assertThat(wire.open()).isEmpty();
        answerAfterAWhile();

        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void create_serverIsTooBusyToMakeTheTree_isSentAgainAfterAWhile() {
        var answer = transact(List.of(), Op.put(A, "x"));
        refuse(Code.NONODE, 0);
        refuse(Code.NONODE, 0);
        wire.answer("create " + ROOT, Code.NODEEXISTS, null);
        wire.answer("create " + TREE, Code.THROTTLEDOP, null);

        assertThat(wire.open()).isEmpty();
        assertThat(answer).isNotDone();
        answerAfterAWhile();
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void create_treeCannotBeMadeForAnyReason_saysSo() {
        var answer = transact(List.of(), Op.put(A, "x"));
        refuse(Code.NONODE, 0);
        refuse(Code.NONODE, 0);
        wire.answer("create " + ROOT, Code.NODEEXISTS, null);
        wire.answer("create " + TREE, Code.INVALIDACL, null);

        assertThat(failure(answer))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContainingAll(TREE, "InvalidACL");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void create_chrootIsMissingAndMayNotBeMade_saysWhyAtOnce() {
        var answer = transact(List.of(), Op.put(A, "x"));
        refuse(Code.NONODE, 0);
        refuse(Code.NONODE, 0);
        wire.answer("create " + ROOT, Code.NOAUTH, null);
        wire.answer("create " + TREE, Code.NONODE, null);

        assertThat(failure(answer)).isInstanceOf(CoordinationException.class).hasMessageContaining("NoAuth");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void create_chrootGoesMeanwhile_isSentAgain() {
        var answer = transact(List.of(), Op.put(A, "x"));
        refuse(Code.NONODE, 0);
        refuse(Code.NONODE, 0);
        wire.answer("create " + ROOT, Code.NODEEXISTS, null);
        wire.answer("create " + TREE, Code.NONODE, null);

        succeed();
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void create_chrootIsMissingAndIsNotMade_saysSoAtOnce() {
        var bare = new ScriptedWire();
        ZkSession other = bare.sessionThatMakesNoChroot(new DeafListener());
        bare.connect();
        bare.answer("read " + ROOT, Code.OK, node(ROOT, 0));
        var answer = other.transact(List.of(), List.of(Op.put(A, "x"))).toCompletableFuture();
        bare.answer("multi [/app/tck/a]", Code.NONODE, 0);
        bare.answer("multi [/app/tck/a]", Code.NONODE, 0);
        bare.answer("create " + TREE, Code.NONODE, null);

        assertThat(failure(answer)).isInstanceOf(CoordinationException.class).hasMessageContainingAll(TREE, "NoNode");
        assertThat(bare.open()).isEmpty();
    }

    @Test
    void treeVersion_risenAndTheServerIsTooBusyForARecord_isSentAgainAfterAWhile() {
        var answer = transact(List.of(A_UNCHANGED, unchanged(B, 5, 40)), Op.put(A, "x"));
        refuse(Code.BADVERSION, 0);
        String other = records().get(1);
        wire.answer("read " + TREE, Code.OK, node(TREE, 41));
        wire.answer("read " + records().get(0), Code.THROTTLEDOP, null);
        wire.answer("read " + TREE, Code.OK, node(TREE, 41));
        wire.answer("read " + other, Code.OK, node(other, other.endsWith("a") ? 3 : 5));

        assertThat(wire.open()).isEmpty();
        assertThat(answer).isNotDone();
        wire.sent.clear();
        answerAfterAWhile();
        assertThat(answer).isCompletedWithValue(true);
        assertThat(wire.sent).filteredOn(request -> request.contains(TREE)).hasSize(1);
    }

    /** Nobody waits for it any more. */
    @Test
    void create_treeIsMadeTooLate_isNotSentAgain() {
        var answer = transact(List.of(), Op.put(A, "x"));
        refuse(Code.NONODE, 0);
        refuse(Code.NONODE, 0);
        wire.pass(Duration.ofMinutes(1));
        assertThat(failure(answer)).isInstanceOf(StoreUnavailableException.class);

        wire.answer("create " + ROOT, Code.NODEEXISTS, null);
        wire.answer("create " + TREE, Code.OK, node(TREE, 0));

        assertThat(wire.open()).noneMatch(request -> request.contains("/app/tck/a"));
    }

    @Test
    void refused_partThatAssumesNothing_fails() {
        var answer = transact(List.of(), Op.delete(A));

        refuse(Code.NONODE, 1);

        assertThat(failure(answer)).isInstanceOf(CoordinationException.class).hasMessageContaining(TREE);
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void refused_noPartIsToBlame_fails() {
        var answer = transact(List.of(), Op.put(A, "x"));

        refuse(Code.NOAUTH, -1);

        assertThat(failure(answer)).isInstanceOf(CoordinationException.class);
    }

    @Test
    void connection_breaksMeanwhile_isUnknownAndNotSentAgain() {
        var answer = transact(List.of(), Op.put(A, "x"));

        wire.lose();
        connect();

        assertThat(failure(answer)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(wire.open()).noneMatch(request -> request.contains("/app/tck/a"));
    }

    @Test
    void connection_isAway_isSentOnceItIsThere() {
        wire.lose();
        var answer = transact(List.of(), Op.put(A, "x"));
        assertThat(wire.open()).isEmpty();

        wire.connect();
        wire.pass(Duration.ZERO);
        for (String request : wire.open()) {
            wire.answer(request, Code.OK, request.startsWith("read") ? node(ROOT, 0) : null);
        }
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void connection_staysAway_isUnavailableInTimeAndNeverSent() {
        wire.lose();
        var answer = transact(List.of(), Op.put(A, "x"));
        wire.pass(Duration.ofMinutes(5));
        assertThat(failure(answer)).isInstanceOfAny(StoreUnavailableException.class, SessionLostException.class);

        wire.multis.clear();
        wire.connect();
        assertThat(wire.multis).isEmpty();
    }

    /** The caller was told that nothing was applied, and another client may have written meanwhile. */
    @Test
    void connection_isAwayForLongerThanTheCallerWaits_isUnavailableAndNeverSent() {
        wire.lose();
        var answer = transactWithin(SHORT, Op.put(A, "x"));
        wire.pass(SHORT);
        assertThat(failure(answer))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("tck/a", "1 s", "nothing was applied");

        wire.connect();

        assertThat(wire.multis).isEmpty();
    }

    @Test
    void transact_notAnsweredForAsLongAsTheCallerWaits_isUnknownAndNotSentAgain() {
        var answer = transactWithin(SHORT, Op.put(A, "x"));
        wire.pass(SHORT);
        assertThat(failure(answer)).isInstanceOf(OutcomeUnknownException.class);

        refuse(Code.NONODE, 0);

        assertThat(wire.open()).noneMatch(request -> request.contains("/app/tck/a"));
    }

    @Test
    void size_asMuchAsFits_isSentAndAByteMoreIsNot() {
        int most = Packet.MAX_BYTES - (int) Packet.bytes("/app/tck/a", 0);

        transact(List.of(), Op.put(A, new byte[most]));
        assertThat(wire.multis).hasSize(1);
        var more = transact(List.of(), Op.put(A, new byte[most + 1]));

        assertThat(failure(more)).isInstanceOf(CoordinationException.class).hasMessageContaining("bytes");
        assertThat(wire.multis).hasSize(1);
    }

    private CompletableFuture<Boolean> transact(List<Condition> conditions, Op... ops) {
        return session.transact(conditions, List.of(ops)).toCompletableFuture();
    }

    private CompletableFuture<Boolean> transactWithin(Duration within, Op... ops) {
        return session.transact(List.of(), List.of(ops), List.of(), within).toCompletableFuture();
    }

    /** The multi that waits for its answer. */
    private List<String> sent() {
        assertThat(wire.open()).hasSize(1).first().asString().startsWith("multi");
        return wire.multis.get(wire.multis.size() - 1).stream()
                .map(TransactionTest::text)
                .toList();
    }

    private static String text(ZkOp op) {
        if (op instanceof ZkOp.Check check) {
            return "check " + check.path() + " " + check.version();
        } else if (op instanceof ZkOp.Create create) {
            return "create " + create.path() + " " + new String(create.data(), StandardCharsets.UTF_8);
        } else if (op instanceof ZkOp.Write write) {
            return "write " + write.path() + " " + new String(write.data(), StandardCharsets.UTF_8) + " "
                    + write.version();
        }
        return "delete " + op.path() + " " + ((ZkOp.Delete) op).version();
    }

    private void refuse(Code code, int at) {
        wire.answer(wire.open().get(0), code, at);
    }

    private void succeed() {
        wire.answer(wire.open().get(0), Code.OK, null);
    }

    private void answerAfterAWhile() {
        wire.pass(Duration.ofSeconds(1));
        for (String request : wire.open()) {
            wire.answer(request, Code.OK, request.startsWith("read") ? node(ROOT, 0) : null);
        }
    }

    /** The records that are being read, in their order. */
    private List<String> records() {
        return wire.open().stream()
                .map(request -> request.substring("read ".length()))
                .filter(path -> !path.equals(TREE))
                .toList();
    }

    private static Condition unchanged(RecordKey key, int version, int tree) {
        return new Condition.Unchanged(key, new ZkRevision(node("/app/tck/" + key.name(), version), tree));
    }

    private static Node node(String path, int version) {
        return new Node(path, new byte[0], 9, 9, 9, version, 0, 0);
    }

    private static Throwable failure(CompletableFuture<?> answer) {
        assertThat(answer).isCompletedExceptionally();
        return answer.handle(
                        (value, failed) -> failed instanceof CompletionException wrapped ? wrapped.getCause() : failed)
                .join();
    }
}
