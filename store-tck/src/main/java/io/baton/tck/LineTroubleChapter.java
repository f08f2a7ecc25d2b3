package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.baton.LockLostException;
import io.baton.spi.Link;
import io.baton.spi.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Lines when sessions end, contact breaks, or entries are removed by another party. */
abstract class LineTroubleChapter extends Chapter {

    @Test
    void holder_closesItsSession_theNextIsClear() throws InterruptedException {
        TckClient owner = client();
        owner.join(LINE).awaitClear();
        TckContender next = client().join(LINE).awaitWaits();

        owner.ask(Session::close);

        next.awaitClear();
    }

    @Test
    void holder_expires_theNextIsClearAndTheRestWait() throws Exception {
        TckClient owner = client();
        TckContender held = owner.join(LINE);
        long token = held.awaitClear().token();
        TckContender next = client().join(LINE).awaitWaits();
        TckContender last = client().join(LINE).awaitWaits();

        store().expire(owner.session().id());

        assertThat(next.awaitClear().token()).isGreaterThan(token);
        held.awaitGone();
        stays(() -> !last.isClear());
    }

    @Test
    void session_withHolderAndNext_expires_theThirdIsClear() throws Exception {
        TckClient owner = client();
        TckContender held = owner.join(LINE);
        held.awaitClear();
        TckContender next = owner.join(LINE).awaitWaits();
        TckContender third = client().join(LINE).awaitWaits();

        store().expire(owner.session().id());

        third.awaitClear();
        held.awaitGone();
        next.awaitGone();
        assertThat(next.told()).containsExactly("waits", "gone");
    }

    @Test
    void entry_ofTheHolderRemovedBySomebody_isGoneAndTheNextIsClear() throws Exception {
        TckContender held = client().join(LINE);
        held.awaitClear();
        TckContender next = client().join(LINE).awaitWaits();

        store().removeEntry(held.peer());

        next.awaitClear();
        assertThat(held.awaitGone()).isInstanceOf(LockLostException.class);
        assertThat(held.told()).containsExactly("clear", "gone");
    }

    @Test
    void entry_ofALoneHolderRemovedBySomebody_isGone() throws Exception {
        TckClient owner = client();
        TckContender held = owner.join(LINE);
        held.awaitClear();

        store().removeEntry(held.peer());

        assertThat(held.awaitGone()).isInstanceOf(LockLostException.class);
        assertThat(owner.told()).doesNotContain("lost");
        assertThat(owner.peers(LINE)).isEmpty();
    }

    @Test
    void entry_ofAWaiterRemovedBySomebody_isGoneAndNeverClear() throws Exception {
        TckClient looking = client();
        TckContender held = client().join(LINE);
        held.awaitClear();
        TckContender waiter = client().join(LINE).awaitWaits();
        TckContender last = client().join(LINE).awaitWaits();

        store().removeEntry(looking.peers(LINE).get(1));

        assertThat(waiter.awaitGone()).isInstanceOf(LockLostException.class);
        stays(() -> !last.isClear());
        held.leave();
        last.awaitClear();
        assertThat(waiter.told()).containsExactly("waits", "gone");
    }

    @Test
    void leave_withoutContact_isOwedUntilThereIs() throws Exception {
        TckClient owner = client();
        TckContender held = owner.join(LINE);
        held.awaitClear();
        TckContender next = client().join(LINE).awaitWaits();
        store().breakContact();
        soon().until(() -> owner.session().link() == Link.SUSPENDED);

        CompletableFuture<Void> left = held.leaving();
        stays(() -> !left.isDone());
        store().restoreContact();

        outcome(left);
        assertThat(next.peer()).isNotNull();
        assertThat(owner.peers(LINE)).containsExactly(next.peer());
        assertThat(owner.told()).doesNotContain("lost");
    }

    @Test
    void leave_asTheContactBreaks_removesTheEntryInTheEnd() throws Exception {
        TckClient looking = client();
        for (int i = 0; i < 3; i++) {
            TckClient owner = client();
            TckContender held = owner.join(LINE);
            held.awaitClear();
            CompletionStage<Void> left = owner.onLoop(() -> {
                CompletionStage<Void> leaving = held.leaveNow();
                cutOffNow();
                return leaving;
            });
            soon().until(() -> looking.session().link() == Link.SUSPENDED);
            store().restoreContact();

            outcome(left.toCompletableFuture());
            soon().until(() -> looking.session().link() == Link.CONNECTED);
            assertThat(looking.peers(LINE)).isEmpty();
        }
    }

    @Test
    void join_asTheContactBreaks_hasOneEntryInTheEnd() throws Exception {
        TckClient looking = client();
        for (int i = 0; i < 3; i++) {
            TckClient owner = client();
            TckContender contender = owner.onLoop(() -> {
                TckContender joining = owner.joinNow(LINE);
                cutOffNow();
                return joining;
            });
            soon().until(() -> looking.session().link() == Link.SUSPENDED);
            store().restoreContact();

            contender.awaitClear();
            assertThat(owner.peers(LINE)).containsExactly(contender.peer());
            contender.leave();
            assertThat(owner.peers(LINE)).isEmpty();
        }
    }

    @Test
    void join_withoutContact_joinsOnceThereIs() throws Exception {
        TckClient owner = client();
        store().breakContact();
        soon().until(() -> owner.session().link() == Link.SUSPENDED);
        TckContender contender = owner.join(LINE);
        stays(() -> contender.told().isEmpty());

        store().restoreContact();

        contender.awaitClear();
        assertThat(owner.peers(LINE)).containsExactly(contender.peer());
    }

    @Test
    void join_andLeaveWithoutContact_leavesNoEntry() throws Exception {
        TckClient owner = client();
        store().breakContact();
        soon().until(() -> owner.session().link() == Link.SUSPENDED);
        TckContender contender = owner.join(LINE);
        CompletableFuture<Void> left = contender.leaving();

        store().restoreContact();

        outcome(left);
        soon().until(() -> owner.session().link() == Link.CONNECTED);
        assertThat(owner.peers(LINE)).isEmpty();
        assertThat(contender.told()).isEmpty();
    }

    @Test
    void waiters_contactBrokenAndRestored_keepTheirOrder() throws Exception {
        List<TckClient> clients = List.of(client(), client(), client());
        List<TckContender> line = new ArrayList<>();
        for (TckClient client : clients) {
            TckContender contender = client.join(LINE);
            soon().until(() -> !contender.told().isEmpty());
            line.add(contender);
        }

        store().breakContact();
        soon().until(() -> clients.stream().allMatch(client -> client.session().link() == Link.SUSPENDED));
        store().restoreContact();

        for (TckContender contender : line) {
            contender.awaitClear();
            assertThat(line.subList(line.indexOf(contender) + 1, line.size())).noneMatch(TckContender::isClear);
            contender.leave();
        }
    }

    @Test
    void waiter_predecessorLeftWhileCutOff_isClearOnceInContact() throws Exception {
        TckContender held = steadyClient().join(LINE);
        held.awaitClear();
        TckClient cutOff = client();
        TckContender waiter = cutOff.join(LINE).awaitWaits();
        store().breakContact();
        soon().until(() -> cutOff.session().link() == Link.SUSPENDED);

        held.leave();
        stays(() -> !waiter.isClear());
        store().restoreContact();

        waiter.awaitClear();
    }

    @Test
    void waiter_removedWhileCutOff_isGoneOnceInContact() throws Exception {
        TckClient steady = steadyClient();
        TckContender held = steady.join(LINE);
        held.awaitClear();
        TckClient cutOff = client();
        TckContender waiter = cutOff.join(LINE).awaitWaits();
        store().breakContact();
        soon().until(() -> cutOff.session().link() == Link.SUSPENDED);

        store().removeEntry(steady.peers(LINE).get(1));
        held.leave();
        store().restoreContact();

        waiter.awaitGone();
        assertThat(waiter.told()).containsExactly("waits", "gone");
    }

    @Test
    void churn_whileContactBreaks_neverTwoClear() throws Exception {
        List<TckClient> clients = List.of(client(), client(), client());
        Churn churn = new Churn(clients, LINE);

        for (int i = 0; i < 5; i++) {
            churn.join(30);
            store().breakContact();
            churn.join(10);
            store().restoreContact();
            soon().until(() ->
                    clients.stream().allMatch(client -> client.session().link() == Link.CONNECTED));
        }

        churn.awaitEnd();
        // The last contenders are still leaving.
        soon().until(() -> clients.get(0).peers(LINE).isEmpty());
        assertThat(clients).allSatisfy(client -> assertThat(client.told()).doesNotContain("lost"));
    }

    private void cutOffNow() {
        try {
            store().breakContact();
        } catch (Exception broken) {
            fail("cannot break the contact", broken);
        }
    }
}
