package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.spi.TreeListener;
import io.baton.zookeeper.wire.ZkWire.Change;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;

/** How a tree of records is followed, answer by answer. */
class TreeObserverTest {

    private static final String ROOT = "/app/stock";
    private static final Duration NO_TIME = Duration.ofMillis(1);
    private static final Duration AUDITED = Duration.ofSeconds(50);

    private final ScriptedWire wire = new ScriptedWire();
    private final DeafListener listener = new DeafListener();
    private final ZkSession session = wire.session(listener);
    private final List<String> told = new ArrayList<>();
    private boolean interrupted;

    @Test
    void snapshot_onePass_isToldOnceAllIsAnswered() {
        begin(root(1, 5, 2), "a", "b");
        answer("a", 3, "one");
        assertThat(told).isEmpty();

        answer("b", 4, "two");

        assertThat(told).containsExactly("all [a=one, b=two] 1@5");
    }

    @Test
    void snapshot_noTree_isEmptyAndWithoutAHistory() {
        connect();
        observe();
        wire.answer("follow " + ROOT, Code.OK, null);
        wire.answer("read " + ROOT, Code.NONODE, null);
        wire.answer("children " + ROOT, Code.NONODE, null);

        assertThat(told).containsExactly("all [] @0");
    }

    @Test
    void snapshot_writtenMeanwhile_hasTheNewValueAndNothingIsToldBeforeIt() {
        begin(root(1, 4, 2), "a", "b");
        answer("a", 3, "one");
        wire.tell(ROOT + "/a", Change.WRITTEN);
        answer("b", 4, "two");
        assertThat(told).isEmpty();

        answer("a", 6, "three");

        assertThat(told).containsExactly("all [a=three, b=two] 1@6");
    }

    @Test
    void snapshot_createdBehindTheListing_isInIt() {
        begin(root(1, 3, 1), "a");
        wire.tell(ROOT + "/b", Change.CREATED);
        answer("a", 3, "one");
        answerRoot(root(1, 4, 2));
        answer("b", 4, "two");

        assertThat(told).containsExactly("all [a=one, b=two] 1@4");
    }

    @Test
    void snapshot_manyRecords_areReadABoundedNumberAtATime() {
        String[] names = IntStream.range(0, 2_000).mapToObj(i -> "n" + i).toArray(String[]::new);
        begin(root(1, 5, names.length), names);
        assertThat(wire.open()).hasSize(8);

        int most = 0;
        for (int i = 0; i < names.length; i++) {
            most = Math.max(most, wire.open().size());
            answerOldest();
        }

        assertThat(most).isEqualTo(512);
        assertThat(told).hasSize(1);
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void snapshot_answersTakeLong_fewerAreReadAtATime() {
        String[] names = IntStream.range(0, 2_000).mapToObj(i -> "n" + i).toArray(String[]::new);
        begin(root(1, 5, names.length), names);
        for (int i = 0; i < 200; i++) {
            answerOldest();
        }
        assertThat(wire.open()).hasSizeGreaterThan(200);

        for (int trip = 0; trip < 6; trip++) {
            wire.pass(Duration.ofMillis(100));
            for (int open = wire.open().size(); open > 0; open--) {
                answerOldest();
            }
        }

        assertThat(wire.open()).hasSize(8);
    }

    @Test
    void change_oneRecord_isOneRead() {
        following();
        wire.tell(ROOT + "/a", Change.WRITTEN);
        assertThat(wire.open()).containsExactly("read " + ROOT + "/a");

        answer("a", 6, "three");

        assertThat(told).containsExactly("put [a=three] gone [] 6");
    }

    @Test
    void change_severalAtOnce_areOneBatch() {
        following();
        wire.tell(ROOT + "/a", Change.WRITTEN);
        wire.tell(ROOT + "/b", Change.DELETED);
        answer("a", 6, "three");
        answerRoot(root(1, 6, 1));
        assertThat(told).isEmpty();

        wire.answer("read " + ROOT + "/b", Code.NONODE, null);

        assertThat(told).containsExactly("put [a=three] gone [b] 6");
    }

    @Test
    void change_eventWhileItIsBeingRead_isInTheAnswer() {
        following();
        wire.tell(ROOT + "/a", Change.WRITTEN);
        wire.tell(ROOT + "/a", Change.WRITTEN);
        answer("a", 7, "four");

        assertThat(told).containsExactly("put [a=four] gone [] 7");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void change_deletedAndRecreatedAtTheSameVersion_isTold() {
        following();
        wire.tell(ROOT + "/a", Change.DELETED);
        wire.tell(ROOT + "/a", Change.CREATED);
        answerRoot(root(1, 8, 2));
        wire.answer("read " + ROOT + "/a", Code.OK, new Node(ROOT + "/a", bytes("one"), 8, 8, 8, 0, 0, 0));

        assertThat(told).containsExactly("put [a=one] gone [] 8");
    }

    @Test
    void change_deletedByAnother_raisesTheRevision() {
        following();
        wire.tell(ROOT + "/b", Change.DELETED);
        answerRoot(root(1, 9, 1));
        wire.answer("read " + ROOT + "/b", Code.NONODE, null);

        assertThat(told).containsExactly("put [] gone [b] 9");
    }

    @Test
    void change_noRestForLong_isToldAllTheSame() {
        following();
        wire.tell(ROOT + "/a", Change.WRITTEN);
        int rounds = 0;
        for (int i = 10; told.isEmpty() && rounds < 100; i += 2) {
            rounds++;
            wire.tell(ROOT + "/b", Change.WRITTEN);
            answer("a", i, "x" + i);
            wire.tell(ROOT + "/a", Change.WRITTEN);
            answer("b", i + 1, "y" + i);
        }

        assertThat(rounds).isBetween(10, 30);
        assertThat(told).hasSize(1).first().asString().startsWith("put [a=");
    }

    @Test
    void rootMade_whereThereWasNone_isAChange() {
        connect();
        observe();
        wire.answer("follow " + ROOT, Code.OK, null);
        wire.answer("read " + ROOT, Code.NONODE, null);
        wire.answer("children " + ROOT, Code.NONODE, null);
        told.clear();
        wire.tell(ROOT, Change.CREATED);
        wire.tell(ROOT + "/a", Change.CREATED);
        answerRoot(root(3, 4, 1));
        answer("a", 4, "first");

        assertThat(told).containsExactly("put [a=first] gone [] 4");
    }

    @Test
    void rootDeletedAndMadeAgain_snapshotsOfTheNewHistory() {
        following();
        wire.tell(ROOT + "/a", Change.DELETED);
        wire.tell(ROOT + "/b", Change.DELETED);
        wire.tell(ROOT, Change.DELETED);
        wire.answer("read " + ROOT, Code.NONODE, null);
        wire.answer("read " + ROOT + "/a", Code.NONODE, null);
        wire.answer("read " + ROOT + "/b", Code.NONODE, null);
        assertThat(told).containsExactly("all [] @0");

        wire.tell(ROOT, Change.CREATED);
        answerRoot(root(12, 12, 0));
        assertThat(told).last().isEqualTo("all [] c@12");
        wire.tell(ROOT + "/a", Change.CREATED);
        answerRoot(root(12, 13, 1));
        answer("a", 13, "anew");
        assertThat(told).last().isEqualTo("put [a=anew] gone [] 13");
    }

    @Test
    void rootRecreatedWithinOneBatch_snapshotOfTheNewHistory() {
        following();
        wire.tell(ROOT + "/a", Change.DELETED);
        wire.tell(ROOT + "/b", Change.DELETED);
        wire.tell(ROOT, Change.DELETED);
        wire.tell(ROOT, Change.CREATED);
        answerRoot(root(12, 12, 0));
        wire.answer("read " + ROOT + "/a", Code.NONODE, null);
        wire.answer("read " + ROOT + "/b", Code.NONODE, null);

        assertThat(told).containsExactly("all [] c@12");
    }

    @Test
    void contactBroken_beginsAnewAndForgetsAnswersOfBefore() {
        following();
        wire.tell(ROOT + "/a", Change.WRITTEN);
        wire.lose();
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));
        answerBegin(root(1, 9, 1), "a");
        answer("a", 9, "nine");

        assertThat(told).containsExactly("all [a=nine] 1@9");
    }

    @Test
    void contactBroken_isInterruptedUntilTheNextSnapshot() {
        following();
        assertThat(interrupted).isFalse();

        wire.lose();
        connect();
        assertThat(interrupted).isTrue();
        answerBegin(root(1, 9, 1), "a");
        answer("a", 9, "nine");

        assertThat(interrupted).isFalse();
    }

    @Test
    void read_refused_isInterruptedUntilTheNextSnapshot() {
        following();
        wire.tell(ROOT + "/a", Change.WRITTEN);
        wire.answer("read " + ROOT + "/a", Code.NOAUTH, null);
        assertThat(interrupted).isTrue();

        wire.pass(NO_TIME);
        answerBegin(root(1, 9, 1), "a");
        answer("a", 9, "nine");

        assertThat(interrupted).isFalse();
    }

    @Test
    void olderThanKnown_isBelievedOnlyBehindACommit() {
        session.positions().record("stock", new Position("1", 50));
        begin(root(1, 5, 1), "a");
        answer("a", 5, "old");
        assertThat(told).isEmpty();

        wire.answer("multi [/app]", Code.OK, null);
        answerBegin(root(1, 50, 1), "a");
        answer("a", 50, "new");

        assertThat(told).containsExactly("all [a=new] 1@50");
    }

    @Test
    void olderThanKnown_serverIsTooBusyForTheCommit_isNotBelieved() {
        session.positions().record("stock", new Position("1", 50));
        begin(root(1, 5, 1), "a");
        answer("a", 5, "old");
        wire.answer("multi [/app]", Code.THROTTLEDOP, null);
        wire.pass(Duration.ofMillis(1));
        answerBegin(root(1, 5, 1), "a");
        answer("a", 5, "old");

        assertThat(told).isEmpty();
        assertThat(wire.open()).contains("multi [/app]");
    }

    @Test
    void follow_refusedAgainAndAgain_isToldUntilItIsAllowed() {
        connect();
        observe();
        for (int refused = 1; refused <= 3; refused++) {
            assertThat(listener.troubles).isEmpty();
            wire.answer("follow " + ROOT, Code.NOAUTH, null);
            wire.answer("read " + ROOT, Code.NOAUTH, null);
            wire.answer("children " + ROOT, Code.NOAUTH, null);
            wire.pass(Duration.ofMillis(100));
        }
        assertThat(listener.troubles)
                .hasEntrySatisfying(
                        "Cannot follow the records in stock",
                        why -> assertThat(why).contains("NOAUTH", "goes on trying"));
        answerBegin(root(1, 5, 1), "a");
        answer("a", 5, "one");

        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void listing_breaksContactAgainAndAgain_isReportedAndRepeatedAfterAPause() {
        connect();
        observe();
        for (int broken = 1; broken <= 3; broken++) {
            assertThat(listener.troubles).isEmpty();
            wire.answer("follow " + ROOT, Code.OK, null);
            answerRoot(root(1, 5, 30_000));
            wire.lose();
            connect();
            assertThat(wire.open()).isEmpty();
            pass(Duration.ofSeconds(broken < 3 ? 4 : 0));
        }
        assertThat(listener.troubles)
                .hasEntrySatisfying(
                        "Cannot follow the records in stock",
                        why -> assertThat(why).contains("30000 names", "jute.maxbuffer", "goes on trying"));
        pass(Duration.ofSeconds(3));
        assertThat(wire.open()).isEmpty();

        pass(Duration.ofSeconds(5));
        answerBegin(root(1, 5, 1), "a");
        answerBeats();
        answer("a", 5, "one");

        assertThat(told).containsExactly("all [a=one] 1@5");
        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void record_breaksContactAgainAndAgain_isReportedAndRepeatedAfterAPause() {
        connect();
        observe();
        for (int broken = 1; broken <= 4; broken++) {
            assertThat(listener.troubles).isEmpty();
            answerBegin(root(1, 5, 2), "a", "large");
            answerBeats();
            answer("a", 5, "one");
            wire.lose();
            connect();
            assertThat(wire.open().isEmpty())
                    .as("a pause after break %d", broken)
                    .isEqualTo(broken > 1);
            pass(Duration.ofSeconds(broken > 1 && broken < 4 ? 4 : 0));
        }
        assertThat(listener.troubles)
                .hasEntrySatisfying(
                        "Cannot follow the records in stock",
                        why -> assertThat(why).contains(ROOT + "/large", "jute.maxbuffer", "goes on trying"));

        pass(Duration.ofSeconds(8));
        answerBegin(root(1, 6, 2), "a", "large");
        answerBeats();
        answer("a", 5, "one");
        answer("large", 6, "small");

        assertThat(told).containsExactly("all [a=one, large=small] 1@6");
        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void contactBreaksAtDifferentRecords_isFollowedAgainAtOnce() {
        connect();
        observe();
        for (String next : List.of("a", "b", "a", "b")) {
            answerBegin(root(1, 5, 1), next);
            wire.lose();
            connect();
            assertThat(wire.open()).contains("children " + ROOT);
        }
    }

    @Test
    void contactBreaksBeforeTheListingIsDue_isNotTakenForALongListing() {
        connect();
        observe();
        for (int broken = 1; broken <= 5; broken++) {
            wire.answer("follow " + ROOT, Code.OK, null);
            wire.lose();
            connect();
        }

        assertThat(listener.troubles).isEmpty();
        assertThat(wire.open()).contains("children " + ROOT);
    }

    @Test
    void olderThanKnown_stillSoBehindACommit_isTold() {
        session.positions().record("stock", new Position("2", 50));
        begin(root(1, 5, 1), "a");
        answer("a", 5, "old");
        wire.answer("multi [/app]", Code.OK, null);
        answerBegin(root(1, 5, 1), "a");
        answer("a", 5, "old");

        assertThat(told).containsExactly("all [a=old] 1@5");
    }

    @Test
    void audit_creationThatNoEventToldOf_isFound() {
        following();
        untilAudited();
        answerRoot(root(1, 20, 3));
        wire.pass(NO_TIME);
        dropAnswersOfTheAudit();
        answerBegin(root(1, 20, 3), "a", "b", "c");
        answer("a", 3, "one");
        answer("b", 4, "two");
        answer("c", 20, "new");

        assertThat(told).containsExactly("all [a=one, b=two, c=new] 1@20");
    }

    @Test
    void audit_writeThatNoEventToldOf_isFound() {
        following();
        untilAudited();
        answerRoot(root(1, 5, 2));
        answer("a", 30, "lost");
        wire.pass(NO_TIME);
        dropAnswersOfTheAudit();
        answerBegin(root(1, 5, 2), "a", "b");
        answer("a", 30, "lost");
        answer("b", 4, "two");

        assertThat(told).containsExactly("all [a=lost, b=two] 1@30");
    }

    @Test
    void audit_changeWithAnEvent_isToldAsEver() {
        following();
        untilAudited();
        wire.tell(ROOT + "/a", Change.WRITTEN);
        answerRoot(root(1, 5, 2));
        answer("a", 30, "new");
        answer("b", 4, "two");

        assertThat(told).containsExactly("put [a=new] gone [] 30");
    }

    @Test
    void audit_nothingNew_tellsNothing() {
        following();
        untilAudited();
        answerRoot(root(1, 5, 2));
        answer("a", 3, "one");
        answer("b", 4, "two");

        assertThat(told).isEmpty();
    }

    @Test
    void audit_manyRecords_readsOthersEachTime() {
        String[] names = IntStream.range(100, 200).mapToObj(i -> "n" + i).toArray(String[]::new);
        begin(root(1, 5, names.length), names);
        for (String name : names) {
            answer(name, 5, "x");
        }
        untilAudited();
        assertThat(checked(names.length)).hasSize(64).startsWith("n100");
        untilAudited();

        assertThat(checked(names.length)).hasSize(64).startsWith("n164").contains("n100");
    }

    @Test
    void creationLost_theNextOneShowsIt() {
        following();
        wire.tell(ROOT + "/d", Change.CREATED);
        answerRoot(root(1, 8, 4)); // c was created before, and nobody told
        answer("d", 8, "d");
        wire.pass(NO_TIME);

        assertThat(told).isEmpty();
        assertThat(wire.open()).startsWith("follow " + ROOT);
    }

    @Test
    void strangersAmongTheRecords_areCountedAndNotTold() {
        begin(root(1, 5, 2), "a", "no%name");
        answer("a", 3, "one");
        wire.tell(ROOT + "/also no", Change.CREATED);
        answerRoot(root(1, 6, 3));

        assertThat(told).containsExactly("all [a=one] 1@5", "put [] gone [] 6");
    }

    @Test
    void twoTrees_pathsOfOneLength_eachReadsItsOwn() {
        connect();
        for (String tree : List.of("aaaa", "bbbb")) {
            observe(tree);
            wire.answer("follow /app/" + tree, Code.OK, null);
            wire.answer("read /app/" + tree, Code.OK, root(1, 5, 0));
            wire.answer("children /app/" + tree, Code.OK, List.of());
        }

        wire.tell("/app/bbbb/x", Change.WRITTEN);
        assertThat(wire.open()).containsExactly("read /app/bbbb/x");
        wire.answer("read /app/bbbb/x", Code.NONODE, null);
        wire.tell("/app/bbbb/no%name", Change.CREATED);
        assertThat(wire.open()).containsExactly("read /app/bbbb");
    }

    @Test
    void closed_isToldNothingMore() {
        connect();
        Runnable end = observe();
        answerBegin(root(1, 5, 1), "a");
        end.run();
        answer("a", 5, "one");

        assertThat(told).isEmpty();
    }

    // A tree of a=one and b=two at revision 5, which has been told.
    private void following() {
        begin(root(1, 5, 2), "a", "b");
        answer("a", 3, "one");
        answer("b", 4, "two");
        told.clear();
    }

    private void begin(Node root, String... names) {
        connect();
        observe();
        answerBegin(root, names);
    }

    private void connect() {
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app"));
    }

    private void answerBegin(Node root, String... names) {
        wire.answer("follow " + ROOT, Code.OK, null);
        answerRoot(root);
        wire.answer("children " + ROOT, Code.OK, List.of(names));
    }

    private void answerRoot(Node root) {
        wire.answer("read " + ROOT, Code.OK, root);
    }

    /** Answers the reads of an audit; returns the records read. */
    private List<String> checked(int children) {
        answerRoot(root(1, 5, children));
        var read = new ArrayList<String>();
        while (!wire.open().isEmpty() && wire.open().get(0).startsWith("read " + ROOT + "/")) {
            read.add(wire.open().get(0).substring(("read " + ROOT + "/").length()));
            answerOldest();
            answerBeats();
        }
        return read;
    }

    private void answerOldest() {
        answer(wire.open().get(0).substring(("read " + ROOT + "/").length()), 5, "x");
    }

    private void answer(String name, long mzxid, String text) {
        wire.answer(
                "read " + ROOT + "/" + name,
                Code.OK,
                new Node(ROOT + "/" + name, bytes(text), 2, mzxid, 2, (int) mzxid, 0, 0));
    }

    /** Lets time pass until the audit's requests are the oldest, and answers that of the watch. */
    private void untilAudited() {
        for (Duration passed = Duration.ZERO;
                passed.compareTo(AUDITED) < 0 && !wire.open().contains("follow " + ROOT);
                passed = passed.plus(Duration.ofMillis(500))) {
            wire.pass(Duration.ofMillis(500));
            answerBeats();
        }
        answerBeats();
        wire.answer("follow " + ROOT, Code.OK, null);
    }

    private void pass(Duration time) {
        for (Duration passed = Duration.ZERO;
                passed.compareTo(time) < 0;
                passed = passed.plus(NO_TIME.multipliedBy(100))) {
            wire.pass(NO_TIME.multipliedBy(100));
            answerBeats();
        }
    }

    private void answerBeats() {
        while (!wire.open().isEmpty() && wire.open().get(0).matches("(read|multi \\[)/?.*/app]?")) {
            wire.answer(wire.open().get(0), Code.OK, node("/app"));
        }
    }

    private void dropAnswersOfTheAudit() {
        while (wire.open().get(0).startsWith("read " + ROOT + "/")) {
            String name = wire.open().get(0).substring(("read " + ROOT + "/").length());
            answer(name, 99, "of no interest");
        }
    }

    private Runnable observe() {
        return observe("stock");
    }

    private Runnable observe(String tree) {
        return session.observe(tree, new TreeListener() {
            @Override
            public void snapshot(List<Item> all, Position at) {
                interrupted = false;
                told.add("all " + show(all) + " " + at.history() + "@" + at.revision());
            }

            @Override
            public void interrupted() {
                interrupted = true;
            }

            @Override
            public void changed(List<Item> put, List<RecordKey> gone, long revision) {
                told.add("put " + show(put) + " gone "
                        + gone.stream().map(RecordKey::name).toList() + " " + revision);
            }
        });
    }

    private static String show(List<Item> items) {
        return items.stream()
                .map(item -> item.key().name() + "=" + item.text())
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static Node root(long czxid, long pzxid, int children) {
        return new Node(ROOT, new byte[0], czxid, czxid, pzxid, 0, children, 0);
    }

    private static Node node(String path) {
        return new Node(path, new byte[0], 1, 1, 1, 0, 0, 0);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
