package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.LockLostException;
import io.baton.MembershipState;
import io.baton.memory.MemoryStore;
import io.baton.recipes.Counter;
import io.baton.recipes.FencedResource;
import io.baton.recipes.GroupMembership;
import io.baton.recipes.Latch;
import io.baton.recipes.Seat;
import io.baton.recipes.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OrderBookTest {

    private Coordinator baton;

    @BeforeEach
    void connect() throws InterruptedException {
        baton = Coordinator.connect("mem:order-book");
    }

    @AfterEach
    void close() {
        baton.close();
    }

    @Test
    void count_messageDeliveredTwice_countsOnce() throws InterruptedException {
        Counter orders = Counter.named(baton, "orders");

        assertThat(OrderBook.count(orders, "4711")).isTrue();
        assertThat(OrderBook.count(orders, "4711")).isFalse();

        assertThat(orders.get()).isEqualTo(1);
    }

    @Test
    void transfer_betweenTwoAccounts_holdsTheLocksOfBoth() throws InterruptedException {
        List<Guard> guards = new ArrayList<>();

        OrderBook.transfer(baton, "anne", "bert", both -> guards.addAll(both.guards()));

        assertThat(guards).hasSize(2);
    }

    @Test
    void number_asked_rises() throws InterruptedException {
        Sequence orders = Sequence.named(baton, "orders", 10);

        assertThat(OrderBook.number(orders)).isLessThan(OrderBook.number(orders));
    }

    @Test
    void number_byWorkerId_hasASeatOfItsOwn() throws InterruptedException {
        List<Integer> ids = new ArrayList<>();
        List<String> stopped = new ArrayList<>();

        try (Seat one = OrderBook.number(baton, ids::add, () -> stopped.add("one"));
                Seat other = OrderBook.number(baton, ids::add, () -> stopped.add("other"))) {
            assertThat(ids).containsExactly(one.number(), other.number()).doesNotHaveDuplicates();
        }
        assertThat(stopped).isEmpty();
    }

    @Test
    void awaitMigration_allShardsCounted_goesOn() throws InterruptedException {
        Latch migrated = Latch.named(baton, "migrated");
        migrated.open(3);
        for (int shard = 1; shard <= 3; shard++) {
            migrated.countDown("shard-" + shard);
        }

        assertThat(OrderBook.awaitMigration(baton)).isTrue();
    }

    @Test
    void own_partitionsOfAllMembers_areAll() {
        List<String> members = List.of("a", "b", "c");
        List<Integer> all = new ArrayList<>();
        members.forEach(member -> all.addAll(OrderBook.own(members, member)));

        assertThat(all).hasSize(256).doesNotHaveDuplicates();
    }

    @Test
    void work_lostAndInAgain_servesNothingAndThenAllAgain() {
        List<Integer> served = new CopyOnWriteArrayList<>();

        try (GroupMembership me = OrderBook.work(baton, "here", partitions -> served.add(partitions.size()))) {
            await().untilAsserted(() -> assertThat(served).endsWith(256));
            served.clear();
            MemoryStore.named("order-book").expireSessions();

            await().untilAsserted(() -> assertThat(served).contains(0).endsWith(256));
            assertThat(me.state()).isEqualTo(MembershipState.JOINED);
        }
    }

    @Test
    void enter_byAFormerHolder_isRefused() throws InterruptedException {
        FencedResource<List<String>> book = FencedResource.of(new ArrayList<>());
        Hold former = baton.lock("book").acquire();
        former.close();
        try (Hold latter = baton.lock("book").acquire()) {
            OrderBook.enter(book, latter, "latter");

            assertThatThrownBy(() -> OrderBook.enter(book, former, "former")).isInstanceOf(LockLostException.class);
        }
    }
}
