package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A line is fair, and a contender that is clear stands first in it. */
abstract class LineChapter extends Chapter {

    @Test
    void join_emptyLine_isClearWithoutEverWaiting() throws InterruptedException {
        TckClient client = client();

        TckContender alone = client.join(LINE);
        Entry mine = alone.awaitClear();

        assertThat(alone.told()).containsExactly("clear");
        assertThat(client.peers(LINE)).containsExactly(mine.peer());
        assertThat(mine.peer().line().path()).isEqualTo(LINE);
        assertThat(mine.payload()).containsExactly(1, 2, 3);
        assertThat(mine.session()).isEqualTo(client.session().id());
    }

    @Test
    void join_behindAnother_waitsUntilThatOneLeaves() throws InterruptedException {
        TckContender first = client().join(LINE);
        first.awaitClear();
        TckContender second = client().join(LINE).awaitWaits();
        stays(() -> second.told().equals(List.of("waits")));

        first.leave();

        second.awaitClear();
        assertThat(second.told()).containsExactly("waits", "clear");
    }

    @Test
    void join_twoContendersOfOneSession_excludeEachOther() throws InterruptedException {
        TckClient client = client();
        TckContender first = client.join(LINE);
        first.awaitClear();
        TckContender second = client.join(LINE).awaitWaits();
        stays(() -> !second.isClear());

        first.leave();

        assertThat(second.peer()).isNotEqualTo(first.peer());
    }

    @Test
    void join_twentyOneAfterTheOther_areClearInThatOrder() throws InterruptedException {
        List<TckClient> clients = List.of(client(), client(), client());
        List<TckContender> joined = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            TckContender contender = clients.get(i % clients.size()).join(LINE);
            soon().until(() -> !contender.told().isEmpty());
            joined.add(contender);
        }

        for (TckContender contender : joined) {
            contender.awaitClear();
            assertThat(joined).filteredOn(TckContender::isClear).hasSizeGreaterThan(joined.indexOf(contender));
            assertThat(joined.subList(joined.indexOf(contender) + 1, joined.size()))
                    .noneMatch(TckContender::isClear);
            contender.leave();
        }
        assertThat(clients.get(0).peers(LINE)).isEmpty();
    }

    @Test
    void join_twentyAtOnce_areClearOneByOneInTheLinesOrder() throws InterruptedException {
        List<TckClient> clients = List.of(client(), client(), client());
        List<TckContender> joined = new ArrayList<>();
        for (TckClient client : clients) {
            client.run(() -> {
                for (int i = 0; i < 7; i++) {
                    joined.add(client.joinNow(LINE));
                }
            });
        }
        soon().until(() ->
                joined.stream().noneMatch(contender -> contender.told().isEmpty()));
        List<Peer> line = clients.get(0).peers(LINE);
        assertThat(line).hasSize(joined.size()).isSortedAccordingTo(Comparator.comparingLong(Peer::order));

        List<Peer> granted = new ArrayList<>();
        for (int i = 0; i < joined.size(); i++) {
            soon().until(() -> joined.stream().filter(TckContender::isClear).count() > granted.size());
            List<TckContender> clear = joined.stream()
                    .filter(TckContender::isClear)
                    .filter(contender -> !granted.contains(contender.peer()))
                    .toList();
            assertThat(clear).hasSize(1);
            granted.add(clear.get(0).peer());
            clear.get(0).leave();
        }
        assertThat(granted).isEqualTo(line);
    }

    @Test
    void token_successiveGrants_rises() throws InterruptedException {
        List<TckClient> clients = List.of(client(), client());
        long last = Long.MIN_VALUE;
        for (int i = 0; i < 20; i++) {
            TckContender contender = clients.get(i % 2).join(LINE);
            long token = contender.awaitClear().token();
            assertThat(token).isGreaterThan(last);
            last = token;
            contender.leave();
        }
    }

    @Test
    void token_waitingLine_risesFromGrantToGrant() throws InterruptedException {
        TckClient client = client();
        List<TckContender> joined = new ArrayList<>();
        client.run(() -> {
            for (int i = 0; i < 10; i++) {
                joined.add(client.joinNow(LINE));
            }
        });
        long last = Long.MIN_VALUE;
        // The store decides the order; requests of one client may overtake each other.
        while (!joined.isEmpty()) {
            soon().until(() -> joined.stream().anyMatch(TckContender::isClear));
            TckContender first =
                    joined.stream().filter(TckContender::isClear).findFirst().orElseThrow();
            assertThat(joined).filteredOn(TckContender::isClear).containsExactly(first);
            long token = first.awaitClear().token();
            assertThat(token).isGreaterThan(last);
            last = token;
            first.leave();
            joined.remove(first);
        }
    }

    @Test
    void leave_waiterInTheMiddle_wakesNobodyAndKeepsTheOrder() throws InterruptedException {
        TckContender holder = client().join(LINE);
        holder.awaitClear();
        TckContender second = client().join(LINE).awaitWaits();
        TckContender third = client().join(LINE).awaitWaits();
        TckContender fourth = client().join(LINE).awaitWaits();

        third.leave();
        stays(() -> !second.isClear() && !fourth.isClear());

        holder.leave();
        second.awaitClear();
        stays(() -> !fourth.isClear());
        second.leave();
        fourth.awaitClear();
    }

    @Test
    void leave_nextInLine_letsTheOneBehindFollow() throws InterruptedException {
        TckContender holder = client().join(LINE);
        holder.awaitClear();
        TckContender second = client().join(LINE).awaitWaits();
        TckContender third = client().join(LINE).awaitWaits();

        second.leave();
        stays(() -> !third.isClear());
        holder.leave();

        third.awaitClear();
    }

    @Test
    void leave_beforeTheJoinIsAnswered_leavesNoEntry() throws InterruptedException {
        TckClient client = client();
        for (int i = 0; i < 20; i++) {
            List<CompletionStage<Void>> gone = new ArrayList<>();
            TckContender contender = client.onLoop(() -> {
                TckContender joining = client.joinNow(LINE);
                gone.add(joining.leaveNow());
                return joining;
            });
            outcome(gone.get(0).toCompletableFuture());
            assertThat(client.peers(LINE)).isEmpty();
            assertThat(contender.told()).isEmpty();
        }
    }

    @Test
    void leave_twice_isTheSameStage() throws InterruptedException {
        TckClient client = client();
        TckContender contender = client.join(LINE);
        contender.awaitClear();
        var stages = new ArrayList<CompletionStage<Void>>();

        client.run(() -> {
            stages.add(contender.leaveNow());
            stages.add(contender.leaveNow());
        });

        assertThat(stages.get(1)).isSameAs(stages.get(0));
        outcome(stages.get(0).toCompletableFuture());
        client.run(() -> stages.add(contender.leaveNow()));
        assertThat(stages.get(2)).isSameAs(stages.get(0));
        assertThat(client.peers(LINE)).isEmpty();
    }

    @Test
    void leave_holder_removesNoOtherEntry() throws InterruptedException {
        TckClient client = client();
        TckContender first = client.join(LINE);
        first.awaitClear();
        TckContender second = client.join(LINE).awaitWaits();
        TckContender third = client.join(LINE).awaitWaits();
        first.leave();
        second.awaitClear();
        first.leave();

        assertThat(client.peers(LINE)).hasSize(2).startsWith(second.peer());
        assertThat(third.told()).containsExactly("waits");
    }

    @Test
    void leave_thenNothingMoreIsTold() throws Exception {
        TckClient client = client();
        TckContender left = client.join(LINE);
        left.awaitClear();
        left.leave();

        store().expire(client.session().id());
        soon().until(() -> client.told().contains("lost"));

        assertThat(left.told()).containsExactly("clear");
    }

    @Test
    void free_tellsWhetherAnybodyStands() throws InterruptedException {
        TckClient looking = client();
        assertThat(looking.free(LINE)).isTrue();
        assertThat(looking.peers(LINE)).isEmpty();

        TckContender contender = client().join(LINE);
        contender.awaitClear();
        assertThat(looking.free(LINE)).isFalse();

        contender.leave();
        assertThat(looking.free(LINE)).isTrue();
    }

    @Test
    void peers_showsTheLineInOrder() throws InterruptedException {
        TckClient looking = client();
        TckContender first = client().join(LINE);
        first.awaitClear();
        TckContender second = client().join(LINE).awaitWaits();
        client().join(LINE).awaitWaits();

        List<Peer> line = looking.peers(LINE);

        assertThat(line).hasSize(3).startsWith(first.peer()).isSortedAccordingTo(Comparator.comparingLong(Peer::order));
        assertThat(line).extracting(Peer::name).doesNotHaveDuplicates();
        assertThat(line).extracting(Peer::line).containsOnly(Line.of(LINE));
        first.leave();
        assertThat(second.peer()).isEqualTo(line.get(1));
    }

    @Test
    void details_standingAndGone_tellsTheEntryOrNothing() throws InterruptedException {
        TckClient owner = client();
        TckClient looking = client();
        TckContender contender = owner.join(LINE);
        Entry mine = contender.awaitClear();

        Entry seen = looking.details(mine.peer()).orElseThrow();
        assertThat(seen.peer()).isEqualTo(mine.peer());
        assertThat(seen.token()).isEqualTo(mine.token());
        assertThat(seen.payload()).containsExactly(1, 2, 3);
        assertThat(seen.session()).isEqualTo(owner.session().id());

        contender.leave();
        assertThat(looking.details(mine.peer())).isEmpty();
    }

    @Test
    void lines_ofDifferentNames_areIndependent() throws InterruptedException {
        TckClient client = client();
        TckContender here = client.join("locks/a");
        TckContender there = client.join("locks/a%2Fb");
        TckContender elsewhere = client.join("elections/a");

        here.awaitClear();
        there.awaitClear();
        elsewhere.awaitClear();
        assertThat(client.peers("locks/a")).containsExactly(here.peer());
    }

    @Test
    void churn_manyJoinsAndLeaves_neverTwoClear() throws InterruptedException {
        List<TckClient> clients = List.of(client(), client(), client());
        Churn churn = new Churn(clients, LINE);

        churn.join(300);

        churn.awaitEnd();
        assertThat(churn.grants()).isPositive();
        // The last contenders are still leaving.
        soon().until(() -> clients.get(0).peers(LINE).isEmpty());
    }
}
