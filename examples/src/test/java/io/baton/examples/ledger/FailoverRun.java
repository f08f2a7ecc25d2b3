package io.baton.examples.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Subscription;
import io.baton.election.Leader;
import io.baton.election.LeaderElection;
import io.baton.election.LeaderObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/**
 * Three processes of the ledger, clients that append all the time, and the active one is killed, frozen or told to end,
 * again and again: for about 15 s, or as many as {@code -Dbaton.ledger.seconds} says, as {@code ./failover} does.
 */
@Timeout(1800)
abstract class FailoverRun {

    private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("baton.ledger.seconds", 15));
    private static final Duration TTL = Duration.ofSeconds(4);
    private static final int NODES = 3;
    private static final int WRITERS = 4;

    private final Acknowledged acknowledged = new Acknowledged();
    private final StoreOrder order = new StoreOrder();
    private final List<String> unclean = new ArrayList<>();
    private final Tally tally = new Tally();

    /** Plays it on this store. */
    void play(String what, String store) throws Exception {
        CoordinatorOptions options = CoordinatorOptions.builder().ttl(TTL).build();
        try (Coordinator baton = Coordinator.connect(store, options);
                Subscription observing = baton.records(Ledger.TREE).observe("entry-", order);
                Nodes nodes = new Nodes(store, TTL, NODES);
                LeaderObserver observer =
                        LeaderElection.named(baton, LedgerNode.ELECTION).observe()) {
            Writers writers = new Writers(baton, acknowledged, WRITERS);
            disturb(nodes, observer);
            writers.finish();
            check(new Ledger(baton), nodes);
            System.out.println(what + ", " + NODES + " processes, ttl " + TTL.toSeconds() + " s: "
                    + tally.summary(acknowledged, nodes.stragglers()));
        }
    }

    private void disturb(Nodes nodes, LeaderObserver observer) throws Exception {
        long end = System.nanoTime() + LENGTH.toNanos();
        Fault[] faults = Fault.values();
        for (int round = 0; round < faults.length || System.nanoTime() < end; round++) {
            Leader active = active(observer);
            Fault fault = faults[round % faults.length];
            if (fault.unclean()) {
                unclean.add(active.term() + " " + active.id());
            }
            long began = System.nanoTime();
            fault.strike(nodes, active.id(), () -> {
                acknowledged.awaitTerm(active.term() + 1);
                tally.add(fault, Duration.ofNanos(System.nanoTime() - began));
            });
        }
    }

    /** Whoever leads, once clients have been acknowledged by him. */
    private Leader active(LeaderObserver observer) throws InterruptedException {
        await().until(() -> observer.awaitLeader().term() >= acknowledged.term());
        Leader leader = observer.awaitLeader();
        acknowledged.awaitTerm(leader.term());
        return leader;
    }

    private void check(Ledger ledger, Nodes nodes) throws Exception {
        List<LedgerEntry> stored = new ArrayList<>();
        long count = ledger.count();
        for (long number = 1; number <= count; number++) {
            stored.add(ledger.get(number).orElseThrow());
        }
        assertThat(stored)
                .as("acknowledged, and lost")
                .containsAll(acknowledged.entries())
                .containsAll(nodes.stragglers().acknowledged());
        assertThat(stored).extracting(LedgerEntry::key).as("stored twice").doesNotHaveDuplicates();
        assertThat(stored)
                .extracting(LedgerEntry::key)
                .as("written late")
                .noneMatch(key -> key.startsWith(RecklessNode.LATE));
        assertThat(stored).extracting(LedgerEntry::term).as("terms").isSorted();
        checkOrder(stored);
        assertThat(nodes.fenced()).as("fenced").isEqualTo(unclean);
    }

    /** The store has accepted them in this order, whatever their numbers say. */
    private void checkOrder(List<LedgerEntry> stored) {
        if (order.whole()) {
            await().untilAsserted(
                            () -> assertThat(order.accepted()).as("accepted").isEqualTo(stored));
        }
        assertThat(order.accepted())
                .extracting(LedgerEntry::number)
                .as("accepted")
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(order.accepted())
                .extracting(LedgerEntry::term)
                .as("accepted")
                .isSorted();
    }
}
