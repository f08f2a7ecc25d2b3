package io.baton.tck;

import static io.baton.tck.RecordChapter.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Records;
import io.baton.StoreUnavailableException;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.RecordAccess;
import io.baton.spi.Condition;
import io.baton.spi.Link;
import io.baton.spi.Peer;
import io.baton.testkit.LongRun;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A transaction is applied as a whole, and only if all its guards hold at that moment, as decided by the store. */
abstract class TransactionChapter extends Chapter {

    private static final RecordKey A = new RecordKey("tck", "a");
    private static final RecordKey B = new RecordKey("tck", "b");
    private static final int RACES = LongRun.rounds(40, 300);

    /** On a database a removal by hand notifies no session, so each round waits up to a second for a look. */
    private static final int REMOVALS = LongRun.rounds(6, 30);

    private static final RecordKey ELSEWHERE = new RecordKey("tck-other", "c");

    @Test
    void transact_severalRecords_appliesAll() throws InterruptedException {
        Coordinator baton = coordinator();
        baton.records("tck").put("b", bytes("old"));

        assertThat(baton.transact(List.of(), List.of(Op.put(A, "one"), Op.delete(B), Op.put(ELSEWHERE, "two"))))
                .isTrue();

        assertThat(text(baton, A)).isEqualTo("one");
        assertThat(baton.records("tck").get("b")).isEmpty();
        assertThat(text(baton, ELSEWHERE)).isEqualTo("two");
    }

    @Test
    void transact_oneGuardFails_appliesNone() throws InterruptedException {
        Coordinator baton = coordinator();
        Records records = baton.records("tck");
        records.put("b", bytes("old"));

        boolean applied = baton.transact(
                List.of(Guard.absent(A), Guard.absent(B)),
                List.of(Op.put(A, "one"), Op.put(ELSEWHERE, "two"), Op.delete(B)));

        assertThat(applied).isFalse();
        assertThat(records.get("a")).isEmpty();
        assertThat(records.get("b").orElseThrow().text()).isEqualTo("old");
        assertThat(baton.records("tck-other").get("c")).isEmpty();
    }

    @Test
    void getValue_putChangedAndDeleted_isThePresentValue() throws InterruptedException {
        TckClient client = client();
        Records records = coordinator().records("tck");
        assertThat(value(client)).isNull();

        records.put("b", bytes("beside"));
        assertThat(value(client)).isNull();
        records.put("a", bytes("one"));
        assertThat(value(client)).isEqualTo("one");
        records.put("a", bytes(""));
        assertThat(value(client)).isEmpty();
        records.delete("a");
        assertThat(value(client)).isNull();
    }

    private static @Nullable String value(TckClient client) throws InterruptedException {
        Optional<byte[]> value = client.ask(session -> session.getValue(A));
        return value.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse(null);
    }

    /** Also if another record of the tree has been deleted, which ZooKeeper compares as well. */
    @Test
    void writeAndTell_saysWhatItWrote_isWhatAReadFinds() throws Exception {
        Coordinator baton = coordinator();
        Records tree = baton.records("tck");
        RecordAccess records = RecipeContext.of(baton, "tests").records();
        tree.put("a", bytes("0"));
        Item last = tree.get("a").orElseThrow();
        for (int i = 1; i <= 5; i++) {
            if (i % 2 == 0) {
                tree.put("b", bytes("there"));
                tree.delete("b");
            }
            Optional<List<Item>> written = Futures.interruptibly(
                    records.writeAndTell(List.of(Guard.unchanged(last)), List.of(Op.put(A, "" + i))));
            Item now = tree.get("a").orElseThrow();
            assertThat(now.text()).isEqualTo("" + i);
            assertThat(written)
                    .hasValueSatisfying(items -> assertThat(items).allSatisfy(item -> {
                        assertThat(item.key()).isEqualTo(A);
                        assertThat(item.text()).isEqualTo(now.text());
                        assertThat(item.revision()).isEqualTo(now.revision());
                        assertThat(item.revision().order())
                                .isEqualTo(now.revision().order());
                    }));
            last = written.orElseThrow().stream().findFirst().orElse(now);
        }
        tree.put("a", bytes("by another one"));
        assertThat(Futures.interruptibly(
                        records.writeAndTell(List.of(Guard.unchanged(last)), List.of(Op.put(A, "late")))))
                .isEmpty();
    }

    /** What one transaction puts and deletes in one tree. */
    @Test
    void writeAndTell_besideADeletion_saysNothingWrong() throws Exception {
        Coordinator baton = coordinator();
        Records tree = baton.records("tck");
        RecordAccess records = RecipeContext.of(baton, "tests").records();
        tree.put("a", bytes("0"));
        tree.put("b", bytes("there"));
        Item first = tree.get("a").orElseThrow();

        Optional<List<Item>> written = Futures.interruptibly(
                records.writeAndTell(List.of(Guard.unchanged(first)), List.of(Op.put(A, "1"), Op.delete(B))));

        for (Item item : written.orElseThrow()) {
            assertThat(item.revision()).isEqualTo(tree.get("a").orElseThrow().revision());
            assertThat(baton.transact(List.of(Guard.unchanged(item)), List.of(Op.put(A, "2"))))
                    .isTrue();
        }
    }

    @Test
    void transact_guardAbsent_holdsOnlyWhileThereIsNone() throws InterruptedException {
        Coordinator baton = coordinator();

        assertThat(baton.transact(List.of(Guard.absent(A)), List.of(Op.put(A, "one"))))
                .isTrue();
        assertThat(baton.transact(List.of(Guard.absent(A)), List.of(Op.put(A, "two"))))
                .isFalse();
        assertThat(text(baton, A)).isEqualTo("one");

        assertThat(baton.transact(List.of(), List.of(Op.delete(A)))).isTrue();
        assertThat(baton.transact(List.of(Guard.absent(A)), List.of(Op.put(A, "three"))))
                .isTrue();
        assertThat(text(baton, A)).isEqualTo("three");
    }

    @Test
    void transact_guardAbsentOnAnotherRecord_isChecked() throws InterruptedException {
        Coordinator baton = coordinator();

        assertThat(baton.transact(List.of(Guard.absent(B)), List.of(Op.put(A, "one"))))
                .isTrue();
        baton.records("tck").put("b", bytes("now"));
        assertThat(baton.transact(List.of(Guard.absent(B)), List.of(Op.put(A, "two"))))
                .isFalse();

        assertThat(text(baton, A)).isEqualTo("one");
    }

    @Test
    void transact_guardUnchanged_holdsUntilWritten() throws InterruptedException {
        Coordinator baton = coordinator();
        Records records = baton.records("tck");
        records.put("b", bytes("config"));
        Item seen = records.get("b").orElseThrow();

        assertThat(baton.transact(List.of(Guard.unchanged(seen)), List.of(Op.put(A, "one"))))
                .isTrue();
        records.put("b", bytes("config"));
        assertThat(baton.transact(List.of(Guard.unchanged(seen)), List.of(Op.put(A, "two"))))
                .isFalse();

        assertThat(text(baton, A)).isEqualTo("one");
    }

    @Test
    void transact_guardUnchanged_isRefusedAfterDeleteAndRecreate() throws InterruptedException {
        Coordinator baton = coordinator();
        Records records = baton.records("tck");
        records.put("b", bytes("config"));
        Item seen = records.get("b").orElseThrow();
        assertThat(baton.transact(List.of(), List.of(Op.delete(B)))).isTrue();
        assertThat(baton.transact(List.of(), List.of(Op.put(B, "config")))).isTrue();

        assertThat(baton.transact(List.of(Guard.unchanged(seen)), List.of(Op.put(A, "one"))))
                .isFalse();
        assertThat(baton.transact(List.of(Guard.unchanged(seen)), List.of(Op.delete(B))))
                .isFalse();

        assertThat(records.get("a")).isEmpty();
        assertThat(records.get("b")).isPresent();
    }

    @Test
    void transact_twoOpsOnOneRecord_isRefused() throws InterruptedException {
        Coordinator baton = coordinator();

        assertThatThrownBy(() -> baton.transact(List.of(), List.of(Op.put(A, "one"), Op.delete(A))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> baton.transact(List.of(), List.of())).isInstanceOf(IllegalArgumentException.class);

        assertThat(baton.records("tck").get("a")).isEmpty();
    }

    @Test
    void transact_held_isApplied() throws InterruptedException {
        Coordinator baton = coordinator();
        try (Hold hold = baton.lock("tck").acquire()) {
            assertThat(baton.transact(List.of(Guard.held(hold)), List.of(Op.put(A, "one"))))
                    .isTrue();
            assertThat(baton.transact(List.of(Guard.held(hold)), List.of(Op.put(A, "two"))))
                    .isTrue();
            assertThat(text(baton, A)).isEqualTo("two");
        }
    }

    @Test
    void transact_holdClosed_isRefused() throws InterruptedException {
        Coordinator baton = coordinator();
        Hold hold = baton.lock("tck").acquire();
        hold.close();

        assertThat(baton.transact(List.of(Guard.held(hold)), List.of(Op.put(A, "one"))))
                .isFalse();

        assertThat(baton.records("tck").get("a")).isEmpty();
    }

    @Test
    void transact_holdBeingClosed_isRefused() throws Exception {
        Coordinator baton = coordinator();
        for (int i = 0; i < 20; i++) {
            Hold hold = baton.lock("tck").acquire();
            CompletableFuture<Void> released = hold.releaseAsync();

            assertThat(outcome(baton.transactAsync(List.of(Guard.held(hold)), List.of(Op.put(A, "late")))))
                    .isFalse();

            outcome(released);
        }
        assertThat(baton.records("tck").get("a")).isEmpty();
    }

    @Test
    void transact_holdOfAnotherCoordinator_isRefused() throws InterruptedException {
        Coordinator baton = coordinator();
        try (Hold hold = coordinator().lock("tck").acquire()) {
            assertThatThrownBy(() -> {
                        if (!baton.transact(List.of(Guard.held(hold)), List.of(Op.put(A, "one")))) {
                            throw new IllegalArgumentException("refused");
                        }
                    })
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(baton.records("tck").get("a")).isEmpty();
    }

    @Test
    void transact_holderRemovedBySomebody_isRefusedAndTheNextIsApplied() throws Exception {
        Coordinator here = coordinator();
        Coordinator there = coordinator();
        TckClient looking = client();
        for (int i = 0; i < REMOVALS; i++) {
            Hold old = here.lock("tck").acquire();
            CompletableFuture<Hold> waiting = there.lock("tck").acquireAsync();
            soon().until(() -> looking.peers(LINE).size() == 2);

            store().removeEntry(looking.peers(LINE).get(0));

            assertThat(here.transact(List.of(Guard.held(old)), List.of(Op.put(A, "old " + i))))
                    .isFalse();
            try (Hold next = outcome(waiting)) {
                assertThat(there.transact(List.of(Guard.held(next)), List.of(Op.put(A, "new " + i))))
                        .isTrue();
                assertThat(here.transact(List.of(Guard.held(old)), List.of(Op.put(A, "old " + i))))
                        .isFalse();
                assertThat(text(there, A)).isEqualTo("new " + i);
            }
            old.close();
        }
    }

    @Test
    void transact_holderExpired_isRefusedAndTheNextIsApplied() throws Exception {
        Coordinator here = coordinator();
        Coordinator there = coordinator();
        TckClient looking = client();
        for (int i = 0; i < 5; i++) {
            DistributedLock lock = here.lock("tck");
            Hold old = lock.tryAcquire(PATIENCE).orElseThrow();
            CompletableFuture<Hold> waiting = there.lock("tck").acquireAsync();
            soon().until(() -> looking.peers(LINE).size() == 2);
            Peer holder = looking.peers(LINE).get(0);

            store().expire(looking.details(holder).orElseThrow().session());

            try (Hold next = outcome(waiting)) {
                assertThat(there.transact(List.of(Guard.held(next)), List.of(Op.put(A, "new " + i))))
                        .isTrue();
                soon().until(() -> old.state() == HoldState.LOST);
                soon().until(() -> refused(here, old));
                assertThat(text(there, A)).isEqualTo("new " + i);
            }
        }
    }

    @Test
    void condition_stands_holdsWhileTheEntryDoes() throws Exception {
        TckClient owner = client();
        TckClient other = client();
        List<Op> write = List.of(Op.put(A, "one"));
        for (int i = 0; i < REMOVALS; i++) {
            TckContender holder = owner.join(LINE);
            Peer held = holder.peer();
            TckContender next = other.join(LINE).awaitWaits();
            assertThat(applied(owner, held, write)).isTrue();
            assertThat(applied(other, held, write)).isTrue();

            store().removeEntry(held);

            assertThat(applied(owner, held, write)).isFalse();
            assertThat(applied(other, held, write)).isFalse();
            assertThat(applied(other, next.peer(), write)).isTrue();
            next.leave();
            assertThat(applied(other, next.peer(), write)).isFalse();
        }
    }

    /** A former holder that has not noticed the loss keeps writing while its successor is granted and writes. */
    @Test
    void condition_stands_formerHolderWritesOn_neverOverwritesWhatItsSuccessorHasWritten() throws Exception {
        TckClient owner = client();
        TckClient successor = client();
        TckClient late = client();
        for (int i = 0; i < RACES; i++) {
            TckContender holder = owner.join(LINE);
            Peer held = holder.peer();
            List<Op> old = List.of(Op.put(A, "old " + i));
            List<Op> fresh = List.of(Op.put(A, "new " + i));
            var written = new CompletableFuture<Boolean>();
            TckContender next = successor.onLoop(() -> successor.joinNow(
                    LINE,
                    clear -> successor
                            .call(() -> successor
                                    .session()
                                    .transact(
                                            List.of(new Condition.Stands(
                                                    clear.mine().peer())),
                                            fresh))
                            .thenAccept(written::complete)));
            next.awaitWaits();

            CompletableFuture<Boolean> lateWrite = writing(late, held, old);
            CompletableFuture<Void> left = holder.leaving();
            while (!written.isDone()) {
                CompletableFuture<Boolean> another = writing(late, held, old);
                outcome(lateWrite);
                lateWrite = another;
            }

            assertThat(outcome(written)).isTrue();
            outcome(lateWrite);
            assertThat(applied(late, held, old)).isFalse();
            assertThat(late.ask(session -> session.get(A)).orElseThrow().text()).isEqualTo("new " + i);
            outcome(left);
            next.leave();
        }
    }

    @Test
    void condition_stands_isRefusedByTheStoreWhenTheSessionHasExpired() throws Exception {
        TckClient owner = client();
        TckClient other = client();
        Peer held = owner.join(LINE).peer();
        TckContender next = other.join(LINE).awaitWaits();

        store().expire(owner.session().id());

        assertThat(applied(other, next.peer(), List.of(Op.put(A, "new")))).isTrue();
        assertThat(applied(other, held, List.of(Op.put(A, "old")))).isFalse();
    }

    /** Its caller has been told that nothing was applied, and another client may have written meanwhile. */
    @Test
    void transact_outOfContactUntilItsTimeIsOver_isUnavailableAndNotAppliedWithTheNextContact() throws Exception {
        TckClient client = client();
        store().breakContact();
        soon().until(() -> client.session().link() == Link.SUSPENDED);

        assertThatThrownBy(() -> client.ask(session ->
                        session.transact(List.of(), List.of(Op.put(A, "late")), List.of(), Duration.ofMillis(300))))
                .isInstanceOf(StoreUnavailableException.class);

        store().restoreContact();
        soon().until(() -> client.session().link() == Link.CONNECTED);
        List<Condition> absent = List.of(new Condition.Absent(A));
        boolean applied = client.ask(session -> session.transact(absent, List.of(Op.put(A, "next"))));
        assertThat(applied).isTrue();
        assertThat(client.ask(session -> session.get(A)).orElseThrow().text()).isEqualTo("next");
    }

    private static boolean applied(TckClient client, Peer stands, List<Op> ops) throws InterruptedException {
        return outcome(writing(client, stands, ops));
    }

    private static CompletableFuture<Boolean> writing(TckClient client, Peer stands, List<Op> ops) {
        return client.asking(session -> session.transact(List.of(new Condition.Stands(stands)), ops));
    }

    /**
     * Whether the store refused the write. While the session is being replaced there is no such answer, and the call
     * retries.
     */
    private static boolean refused(Coordinator baton, Hold hold) throws InterruptedException {
        try {
            assertThat(baton.transact(List.of(Guard.held(hold)), List.of(Op.put(A, "old"))))
                    .isFalse();
            return true;
        } catch (CoordinationException notNow) {
            return false;
        }
    }

    private static String text(Coordinator baton, RecordKey key) throws InterruptedException {
        return baton.records(key.tree()).get(key.name()).orElseThrow().text();
    }
}
