package io.baton.tck;

import static io.baton.tck.TckHeads.NOBODY;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.LockLostException;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.spi.Condition;
import io.baton.spi.Peer;
import io.baton.testkit.LongRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Transactions that remove entries of lines: all of them with everything else, or nothing. */
abstract class RemovalChapter extends Chapter {

    private static final RecordKey KEY = new RecordKey("tck", "a");
    private static final List<Op> WRITE = List.of(Op.put(KEY, "written"));
    private static final int RACES = LongRun.rounds(20, 100);

    @Test
    void remove_conditionHolds_removesAllAndWritesToo() throws Exception {
        TckClient owner = client();
        Peer mine = owner.join(LINE).peer();
        client().join(LINE).awaitWaits();
        client().join(LINE).awaitWaits();
        TckClient last = client();
        last.join(LINE).awaitWaits();
        List<Peer> line = owner.peers(LINE);

        assertThat(removed(last, stand(mine, line.get(3)), WRITE, line.get(1), line.get(2)))
                .isTrue();

        assertThat(owner.peers(LINE)).containsExactly(mine, line.get(3));
        assertThat(text(owner)).contains("written");
    }

    @Test
    void remove_conditionDoesNotHold_changesNothing() throws Exception {
        TckClient owner = client();
        TckContender gone = owner.join(LINE);
        Peer hasGone = gone.peer();
        TckContender holder = client().join(LINE).awaitWaits();
        TckContender waiter = client().join(LINE).awaitWaits();
        gone.leave();
        holder.awaitClear();
        List<Peer> line = owner.peers(LINE);

        assertThat(removed(owner, stand(hasGone), WRITE, line.get(0), line.get(1)))
                .isFalse();
        assertThat(removed(owner, stand(line.get(0), hasGone), List.of(), line.get(1)))
                .isFalse();

        assertThat(owner.peers(LINE)).isEqualTo(line);
        assertThat(text(owner)).isEmpty();
        stays(() -> holder.isClear() && waiter.told().equals(List.of("waits")));
    }

    @Test
    void remove_oneOfThemHasGone_changesNothing() throws Exception {
        TckClient owner = client();
        TckContender holder = owner.join(LINE);
        Peer mine = holder.peer();
        TckContender gone = client().join(LINE).awaitWaits();
        TckContender waiter = client().join(LINE).awaitWaits();
        List<Peer> line = owner.peers(LINE);
        gone.leave();

        assertThat(removed(owner, stand(mine), WRITE, line.get(1), line.get(2))).isFalse();
        assertThat(removed(owner, List.of(), List.of(), line.get(1))).isFalse();

        assertThat(owner.peers(LINE)).containsExactly(mine, line.get(2));
        assertThat(text(owner)).isEmpty();
        stays(() -> holder.isClear() && waiter.told().equals(List.of("waits")));
    }

    @Test
    void remove_againAfterItsOwnerCameBack_isRefused() throws Exception {
        TckClient owner = client();
        TckClient other = client();
        for (int i = 0; i < 20; i++) {
            TckContender before = owner.join(LINE);
            Peer old = before.peer();
            before.leave();
            TckContender now = owner.join(LINE);
            Peer mine = now.peer();

            assertThat(removed(other, List.of(), WRITE, old)).isFalse();

            assertThat(other.peers(LINE)).containsExactly(mine);
            now.leave();
        }
        assertThat(text(owner)).isEmpty();
    }

    @Test
    void remove_waiters_areGoneOnceAndThoseBehindMoveUp() throws Exception {
        TckClient owner = client();
        TckContender holder = owner.join(LINE);
        Peer mine = holder.peer();
        TckContender one = client().join(LINE).awaitWaits();
        TckContender two = client().join(LINE).awaitWaits();
        TckContender last = client().join(LINE).awaitWaits();
        List<Peer> line = owner.peers(LINE);

        assertThat(removed(owner, stand(mine, line.get(3)), List.of(), line.get(1), line.get(2)))
                .isTrue();

        stays(() -> holder.isClear() && !last.isClear());
        holder.leave();
        assertThat(last.peer()).isEqualTo(line.get(3));
        assertThat(last.token()).isGreaterThan(holder.token());
        assertThat(one.awaitGone()).isInstanceOf(LockLostException.class);
        assertThat(two.awaitGone()).isInstanceOf(LockLostException.class);
        stays(() -> one.told().equals(List.of("waits", "gone")) && two.told().equals(List.of("waits", "gone")));
    }

    @Test
    void remove_holderOfAnotherSession_isGoneOnceAndTheNextIsClear() throws Exception {
        TckContender holder = client().join(LINE);
        Peer held = holder.peer();
        TckClient next = client();
        TckContender waiter = next.join(LINE).awaitWaits();

        assertThat(removed(next, List.of(), List.of(), held)).isTrue();

        assertThat(waiter.awaitClear().token()).isGreaterThan(holder.token());
        assertThat(holder.awaitGone()).isInstanceOf(LockLostException.class);
        stays(() -> holder.told().equals(List.of("clear", "gone")) && waiter.isClear());
    }

    /** A contender that receives the removals one by one must not be clear in between. */
    @Test
    void remove_holderAndTheNextInLine_onlyTheThirdIsClear() throws Exception {
        // Learns by its heartbeat that its entry has gone; what it joins with stands behind that until then.
        TckClient owner = briefClient();
        TckClient second = client();
        TckClient third = client();
        TckHeads heads = TckHeads.observe(client(), LINE);
        heads.await(NOBODY);
        List<Long> expected = new ArrayList<>(List.of(NOBODY));
        List<TckContender> between = new ArrayList<>();
        TckContender holder = owner.join(LINE);
        expected.add(holder.awaitClear().token());
        heads.await(holder.token());
        for (int i = 0; i < RACES; i++) {
            between.add(second.join(LINE).awaitWaits());
            TckContender waiter = third.join(LINE).awaitWaits();
            List<Peer> line = owner.peers(LINE);

            assertThat(removed(third, stand(line.get(2)), List.of(), line.get(0), line.get(1)))
                    .isTrue();

            expected.add(waiter.awaitClear().token());
            // Observers receive each head only if it stays until then.
            heads.await(waiter.token());
            holder = owner.join(LINE).awaitWaits();
            waiter.leave();
            expected.add(holder.awaitClear().token());
            heads.await(holder.token());
        }
        for (TckContender each : between) {
            each.awaitGone();
            assertThat(each.told()).containsExactly("waits", "gone");
        }
        assertThat(heads.tokens()).containsExactlyElementsOf(expected);
    }

    @Test
    void remove_ownEntry_isGoneBeforeTheAnswerAndNothingElseIsWithLeaving() throws Exception {
        TckClient owner = client();
        for (int i = 0; i < 20; i++) {
            TckContender held = owner.join(LINE);
            Peer mine = held.peer();
            TckContender next = owner.join(LINE).awaitWaits();
            var toldThen = new ArrayList<String>();

            CompletableFuture<Boolean> removing =
                    owner.asking(session -> session.transact(stand(mine), List.of(), List.of(mine))
                            .whenComplete((removed, failed) -> toldThen.addAll(held.told())));

            assertThat(outcome(removing).booleanValue()).isTrue();
            assertThat(toldThen).containsExactly("clear", "gone");
            Peer standing = next.peer();
            held.leave();
            assertThat(owner.peers(LINE)).containsExactly(standing);
            assertThat(next.isClear()).isTrue();
            next.leave();
        }
    }

    @Test
    void remove_ownEntryBeingLeft_theLeavingEndsAndTheNextIsClear() throws Exception {
        TckClient owner = client();
        TckClient other = client();
        for (int i = 0; i < RACES; i++) {
            TckContender held = owner.join(LINE);
            Peer mine = held.peer();
            TckContender next = other.join(LINE).awaitWaits();

            TckClient remover = i % 2 == 0 ? owner : other;

            CompletableFuture<Void> left = held.leaving();
            CompletableFuture<Boolean> removing = removing(remover, List.of(), WRITE, mine);

            outcome(left);
            Peer standing = next.peer();
            boolean removed = outcome(removing);
            assertThat(text(owner).isPresent()).isEqualTo(removed);
            assertThat(owner.peers(LINE)).containsExactly(standing);
            owner.ask(session -> session.transact(List.of(), List.of(Op.delete(KEY))));
            next.leave();
        }
    }

    @Test
    void remove_ownEntryAndLeaveAtOnce_theLeavingEndsAndTheNextIsClear() throws Exception {
        TckClient owner = client();
        TckClient other = client();
        for (int i = 0; i < RACES; i++) {
            TckContender held = owner.join(LINE);
            Peer mine = held.peer();
            TckContender next = other.join(LINE).awaitWaits();

            CompletableFuture<Boolean> removing = removing(owner, stand(mine), List.of(), mine);
            CompletableFuture<Void> left = held.leaving();

            outcome(left);
            outcome(removing);
            Peer standing = next.peer();
            assertThat(owner.peers(LINE)).containsExactly(standing);
            next.leave();
        }
    }

    @Test
    void remove_twoAtATime_oneSucceeds() throws Exception {
        TckClient owner = client();
        TckClient one = client();
        TckClient other = client();
        for (int i = 0; i < RACES; i++) {
            TckContender holder = owner.join(LINE);
            Peer held = holder.peer();
            TckContender waiter = owner.join(LINE).awaitWaits();
            Peer waiting = owner.peers(LINE).get(1);

            CompletableFuture<Boolean> first = removing(one, List.of(), List.of(), held, waiting);
            CompletableFuture<Boolean> second = removing(other, List.of(), List.of(), waiting, held);

            assertThat(List.of(outcome(first), outcome(second))).containsExactlyInAnyOrder(true, false);
            assertThat(owner.peers(LINE)).isEmpty();
            holder.leave();
            waiter.leave();
        }
    }

    @Test
    void remove_namedTwice_countsOnce() throws Exception {
        TckClient owner = client();
        Peer held = owner.join(LINE).peer();

        assertThat(removed(owner, stand(held), WRITE, held, held)).isTrue();

        assertThat(owner.peers(LINE)).isEmpty();
    }

    @Test
    void remove_ofSeveralLines_removesAllOrNone() throws Exception {
        TckClient owner = client();
        Peer here = owner.join(LINE).peer();
        TckContender there = owner.join("locks/tck-other");
        Peer elsewhere = there.peer();
        TckClient other = client();

        assertThat(removed(other, List.of(), List.of(), here, elsewhere)).isTrue();
        assertThat(other.free(LINE)).isTrue();
        assertThat(other.free("locks/tck-other")).isTrue();

        Peer again = owner.join(LINE).peer();
        assertThat(removed(other, List.of(), List.of(), again, elsewhere)).isFalse();
        assertThat(other.peers(LINE)).containsExactly(again);
        assertThat(there.awaitGone()).isInstanceOf(LockLostException.class);
    }

    @Test
    void remove_asManyAsATransactionTakes_removesAll() throws Exception {
        TckClient owner = client();
        int most = Math.min(storeAt(store().uri()).guarantees().maxOps(), 200) - 2;
        Peer mine = owner.join(LINE).peer();
        TckClient others = client();
        others.run(() -> {
            for (int i = 0; i < most; i++) {
                others.joinNow(LINE);
            }
        });
        soon().until(() -> owner.peers(LINE).size() == most + 1);
        List<Peer> line = owner.peers(LINE);

        assertThat(removed(
                        owner, stand(mine), WRITE, line.subList(1, line.size()).toArray(Peer[]::new)))
                .isTrue();

        assertThat(owner.peers(LINE)).containsExactly(mine);
    }

    private static List<Condition> stand(Peer... peers) {
        List<Condition> conditions = new ArrayList<>();
        for (Peer peer : peers) {
            conditions.add(new Condition.Stands(peer));
        }
        return conditions;
    }

    private static boolean removed(TckClient client, List<Condition> conditions, List<Op> ops, Peer... peers)
            throws InterruptedException {
        return outcome(removing(client, conditions, ops, peers));
    }

    private static CompletableFuture<Boolean> removing(
            TckClient client, List<Condition> conditions, List<Op> ops, Peer... peers) {
        return client.asking(session -> session.transact(conditions, ops, List.of(peers)));
    }

    private static Optional<String> text(TckClient client) throws InterruptedException {
        return client.ask(session -> session.get(KEY)).map(item -> item.text());
    }
}
