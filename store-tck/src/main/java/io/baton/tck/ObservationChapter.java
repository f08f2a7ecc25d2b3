package io.baton.tck;

import static io.baton.tck.RecordChapter.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.Item;
import io.baton.Op;
import io.baton.Position;
import io.baton.Records;
import io.baton.SessionState;
import io.baton.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An observer of records receives a snapshot, then every later state, and misses nothing in a gap. */
abstract class ObservationChapter extends Chapter {

    @Test
    void observe_emptyTree_startsWithAnEmptySnapshot() throws InterruptedException {
        TckObserver seen = new TckObserver();

        var unused = coordinator().records("tck").observe("", seen);

        soon().until(() -> seen.snapshots() == 1);
        assertThat(seen.state()).isEmpty();
    }

    @Test
    void observe_existingRecords_startsWithThem() throws InterruptedException {
        Records records = coordinator().records("tck");
        records.put("a", bytes("one"));
        records.put("b/c", bytes("two"));
        TckObserver seen = new TckObserver();

        var unused = records.observe("", seen);

        soon().until(() -> seen.snapshots() == 1);
        assertThat(seen.state()).isEqualTo(Map.of("a", "one", "b/c", "two"));
    }

    @Test
    void observe_changesByAnother_areTold() throws InterruptedException {
        Records writer = coordinator().records("tck");
        TckObserver seen = new TckObserver();
        var unused = coordinator().records("tck").observe("", seen);
        soon().until(() -> seen.snapshots() == 1);

        writer.put("a", bytes("one"));
        soon().until(() -> seen.state().equals(Map.of("a", "one")));
        writer.put("a", bytes("two"));
        writer.put("b", bytes("three"));
        soon().until(() -> seen.state().equals(Map.of("a", "two", "b", "three")));
        writer.delete("a");
        soon().until(() -> seen.state().equals(Map.of("b", "three")));
    }

    @Test
    void observe_manyChanges_areInOrderAndEndInTheLastState() throws InterruptedException {
        Records writer = coordinator().records("tck");
        TckObserver seen = new TckObserver();
        var unused = coordinator().records("tck").observe("", seen);

        for (int i = 0; i <= 200; i++) {
            writer.put("counter", bytes(String.valueOf(i)));
            if (i % 10 == 5) {
                writer.delete("counter");
            }
        }

        soon().until(() -> "200".equals(seen.state().get("counter")));
        assertThat(seen.values("counter").stream().map(Integer::valueOf).toList())
                .isSorted()
                .endsWith(200);
    }

    @Test
    void observe_deletedAndRecreated_endsInTheNewValue() throws InterruptedException {
        Records writer = coordinator().records("tck");
        writer.put("a", bytes("same"));
        TckObserver seen = new TckObserver();
        var unused = coordinator().records("tck").observe("", seen);
        soon().until(() -> seen.snapshots() == 1);
        for (int i = 0; i < 20; i++) {
            writer.delete("a");
            assertThat(writer.create("a", bytes("same"))).isTrue();
        }
        Item last = writer.get("a").orElseThrow();

        soon().until(() -> last.revision().equals(seen.revision("a")));
        stays(() -> last.revision().equals(seen.revision("a")));
    }

    @Test
    void observe_prefix_leavesOutTheRest() throws InterruptedException {
        Records records = coordinator().records("tck");
        records.put("app/a", bytes("one"));
        records.put("other", bytes("two"));
        TckObserver seen = new TckObserver();
        var unused = records.observe("app/", seen);
        soon().until(() -> seen.snapshots() == 1);

        records.put("app", bytes("three"));
        records.put("application", bytes("four"));
        records.delete("other");
        records.put("app/b", bytes("five"));

        soon().until(() -> seen.state().equals(Map.of("app/a", "one", "app/b", "five")));
        assertThat(seen.names()).containsExactlyInAnyOrder("app/a", "app/b");
    }

    @Test
    void observe_otherTree_isNotTold() throws InterruptedException {
        Coordinator baton = coordinator();
        TckObserver seen = new TckObserver();
        var unused = baton.records("tck").observe("", seen);
        soon().until(() -> seen.snapshots() == 1);

        baton.records("tck-other").put("x", bytes("one"));
        baton.records("tck").put("a", bytes("two"));

        soon().until(() -> seen.state().equals(Map.of("a", "two")));
    }

    @Test
    void observe_oddNames_areToldAsTheyAre() throws InterruptedException {
        Records records = coordinator().records("tck");
        TckObserver seen = new TckObserver();
        var unused = records.observe("", seen);
        for (String name : OddNames.ALL) {
            records.put(name, bytes("value"));
        }

        soon().until(() -> seen.state().keySet().containsAll(OddNames.ALL));
        assertThat(seen.state()).hasSize(OddNames.ALL.size());
    }

    @Test
    void observe_closed_isToldNothingMore() throws InterruptedException {
        Records records = coordinator().records("tck");
        TckObserver closed = new TckObserver();
        TckObserver open = new TckObserver();
        Subscription subscription = records.observe("", closed);
        var unused = records.observe("", open);
        soon().until(() -> closed.snapshots() == 1 && open.snapshots() == 1);

        subscription.close();
        subscription.close();
        records.put("a", bytes("one"));

        soon().until(() -> open.state().equals(Map.of("a", "one")));
        stays(() -> closed.state().isEmpty());
    }

    @Test
    void observe_contactBrokenAndRestored_goesOn() throws Exception {
        Coordinator baton = coordinator();
        Records records = baton.records("tck");
        records.put("a", bytes("one"));
        TckObserver seen = new TckObserver();
        var unused = records.observe("", seen);
        soon().until(() -> seen.snapshots() == 1);

        store().breakContact();
        soon().until(() -> baton.state() == SessionState.SUSPENDED);
        store().restoreContact();
        soon().until(() -> baton.state() == SessionState.CONNECTED);
        records.put("b", bytes("two"));

        soon().until(() -> seen.state().equals(Map.of("a", "one", "b", "two")));
    }

    @Test
    void observe_changedWhileCutOff_learnsItOnceInContact() throws Exception {
        Records steady = steadyCoordinator().records("tck");
        steady.put("written", bytes("one"));
        steady.put("deleted", bytes("one"));
        steady.put("recreated", bytes("same"));
        Coordinator baton = coordinator();
        TckObserver seen = new TckObserver();
        var unused = baton.records("tck").observe("", seen);
        soon().until(() -> seen.state().size() == 3);

        store().breakContact();
        soon().until(() -> baton.state() == SessionState.SUSPENDED);
        steady.put("written", bytes("two"));
        steady.delete("deleted");
        steady.delete("recreated");
        steady.put("recreated", bytes("same"));
        steady.put("created", bytes("three"));
        Item recreated = steady.get("recreated").orElseThrow();
        store().restoreContact();

        Map<String, String> now = Map.of("written", "two", "recreated", "same", "created", "three");
        soon().until(() -> seen.state().equals(now));
        soon().until(() -> recreated.revision().equals(seen.revision("recreated")));
    }

    @Test
    void observe_sessionExpires_goesOnInTheNextSession() throws Exception {
        Coordinator baton = coordinator();
        Records records = baton.records("tck");
        TckObserver seen = new TckObserver();
        var unused = records.observe("", seen);
        soon().until(() -> seen.snapshots() == 1);
        try (var hold = baton.lock("tck").acquire()) {
            TckClient looking = client();
            var holder = looking.peers(LINE).get(0);
            store().expire(looking.details(holder).orElseThrow().session());
            soon().until(() -> hold.remaining().isZero());
        }
        soon().until(() -> baton.state() == SessionState.CONNECTED);

        records.put("a", bytes("one"));

        soon().until(() -> seen.state().equals(Map.of("a", "one")));
    }

    @Test
    void observe_transactionOverSeveral_isToldInOneBatch() throws InterruptedException {
        Coordinator writer = coordinator();
        TckObserver seen = new TckObserver();
        var unused = coordinator().records("tck").observe("", seen);
        soon().until(() -> seen.snapshots() == 1);

        for (int i = 0; i < 50; i++) {
            write(writer, String.valueOf(i));
        }

        soon().until(() -> "49".equals(seen.state().get("a")));
        assertThat(seen.states()).allSatisfy(ObservationChapter::isWhole);
        assertThat(seen.breaches()).isEmpty();
    }

    @Test
    void observe_transactionsWhileTheSnapshotIsTaken_areToldAsAWhole() throws InterruptedException {
        Coordinator writer = coordinator();
        Coordinator baton = coordinator();
        List<TckObserver> all = new ArrayList<>();

        for (int i = 0; i < 50; i++) {
            if (i % 10 == 0) {
                // Where one write exceeds one read, parts may be delivered separately.
                awaitTold(all, i - 1);
            }
            write(writer, String.valueOf(i));
            if (i % 10 == 0) {
                TckObserver seen = new TckObserver();
                all.add(seen);
                var unused = baton.records("tck").observe("", seen);
            }
        }

        awaitTold(all, 49);
        for (TckObserver seen : all) {
            assertThat(seen.states()).allSatisfy(ObservationChapter::isWhole);
            assertThat(seen.breaches()).isEmpty();
        }
    }

    @Test
    void observe_aWrite_itsRevisionIsReached() throws InterruptedException {
        Records records = coordinator().records("tck");
        TckObserver seen = new TckObserver();
        var unused = records.observe("", seen);

        for (int i = 0; i < 10; i++) {
            records.put("a", bytes(String.valueOf(i)));
            long written = records.get("a").orElseThrow().revision().order();
            String now = String.valueOf(i);
            soon().until(() -> seen.at().revision() >= written);
            assertThat(seen.state()).containsEntry("a", now);
        }
        assertThat(seen.breaches()).isEmpty();
    }

    @Test
    void observe_deletion_raisesTheRevision() throws InterruptedException {
        Records records = coordinator().records("tck");
        records.put("a", bytes("one"));
        records.put("b", bytes("two"));
        TckObserver seen = new TckObserver();
        var unused = records.observe("", seen);
        soon().until(() -> seen.state().size() == 2);
        long before = seen.at().revision();

        records.delete("b");

        soon().until(() -> seen.state().equals(Map.of("a", "one")));
        assertThat(seen.at().revision()).isGreaterThan(before);
        assertThat(seen.breaches()).isEmpty();
    }

    @Test
    void observe_changedWhileCutOff_isFurtherInTheSameHistory() throws Exception {
        Records steady = steadyCoordinator().records("tck");
        steady.put("a", bytes("one"));
        steady.put("b", bytes("one"));
        Coordinator baton = coordinator();
        TckObserver seen = new TckObserver();
        var unused = baton.records("tck").observe("", seen);
        soon().until(() -> seen.state().size() == 2);
        Position before = seen.at();

        store().breakContact();
        soon().until(() -> baton.state() == SessionState.SUSPENDED);
        steady.delete("b");
        store().restoreContact();

        soon().until(() -> seen.state().equals(Map.of("a", "one")));
        assertThat(seen.at().history()).isEqualTo(before.history()).isNotEmpty();
        assertThat(seen.at().revision()).isGreaterThan(before.revision());
        assertThat(seen.breaches()).isEmpty();
    }

    /** Writes one transaction: two records with the same value, and a third that exists or not. */
    private static void write(Coordinator writer, String value) throws InterruptedException {
        Records records = writer.records("tck");
        boolean even = Integer.parseInt(value) % 2 == 0;
        Op third = even ? Op.put(records.key("c"), value) : Op.delete(records.key("c"));
        assertThat(writer.transact(
                        List.of(), List.of(Op.put(records.key("a"), value), Op.put(records.key("b"), value), third)))
                .isTrue();
    }

    private void awaitTold(List<TckObserver> observers, int value) {
        observers.forEach(seen ->
                soon().until(() -> String.valueOf(value).equals(seen.state().get("a"))));
    }

    private static void isWhole(Map<String, String> state) {
        String value = state.get("a");
        assertThat(state.get("b")).isEqualTo(value);
        boolean even = value != null && Integer.parseInt(value) % 2 == 0;
        assertThat(state.get("c")).isEqualTo(even ? value : null);
    }
}
