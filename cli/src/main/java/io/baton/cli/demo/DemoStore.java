package io.baton.cli.demo;

import io.baton.Coordinator;
import io.baton.Item;
import io.baton.QueueEntry;
import io.baton.Records;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.config.ConfigEntry;
import io.baton.config.ConfigStore;
import io.baton.config.FleetMember;
import io.baton.election.HandOverException;
import io.baton.election.LeaderElection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** The demo's own client of the store: it sets the stock, counts it, and reads the line. */
final class DemoStore {

    /** The key of a ticket's price. */
    static final String PRICE = "tickets.price";

    private static final int MOST = 1_000;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Coordinator baton;
    private final DemoRun demoRun;
    private final Records records;

    DemoStore(Coordinator baton, DemoRun demoRun) {
        this.baton = baton;
        this.demoRun = demoRun;
        this.records = baton.records(DemoRun.TREE);
    }

    void stock(long tickets) throws InterruptedException {
        records.put(demoRun.stock(), Long.toString(tickets).getBytes(StandardCharsets.UTF_8));
    }

    long left() throws InterruptedException {
        return records.get(demoRun.stock()).map(Item::text).map(Long::parseLong).orElse(0L);
    }

    /** Returns the line once it has this many entries. */
    List<QueueEntry> queue(int atLeast) throws InterruptedException {
        for (long since = System.nanoTime(); ; Thread.sleep(20)) {
            List<QueueEntry> line = baton.lock(demoRun.lock()).queue();
            if (line.size() >= atLeast) {
                return line;
            }
            if (System.nanoTime() - since > LIMIT.toNanos()) {
                throw new Failure(Exit.FAILED, "only " + line.size() + " of " + atLeast + " came to stand in line");
            }
        }
    }

    /** The election of the seller in act 5. */
    LeaderElection election() {
        return LeaderElection.named(baton, demoRun.election());
    }

    /** Asks the leader to hand over to this worker once that stands in the line. */
    void handOver(String id) throws InterruptedException {
        for (long since = System.nanoTime(); ; Thread.sleep(20)) {
            try {
                election().handOver(id, LIMIT);
                return;
            } catch (HandOverException notYet) {
                if (System.nanoTime() - since > LIMIT.toNanos()) {
                    throw new Failure(Exit.FAILED, "not handed over to " + id + ": " + Failure.text(notYet));
                }
            }
        }
    }

    /** The configuration of this run. */
    ConfigStore configuration() {
        return ConfigStore.of(baton, demoRun.space());
    }

    /** Returns this worker's entry in the fleet's view, once it is as expected. */
    FleetMember member(String id, Predicate<FleetMember> expected) throws InterruptedException {
        for (long since = System.nanoTime(); ; Thread.sleep(20)) {
            Optional<FleetMember> found = configuration().fleet().stream()
                    .filter(member -> member.id().equals(id) && expected.test(member))
                    .findFirst();
            if (found.isPresent()) {
                return found.orElseThrow();
            }
            if (System.nanoTime() - since > LIMIT.toNanos()) {
                throw new Failure(Exit.FAILED, "the fleet's view does not say of " + id + " what it did");
            }
        }
    }

    /** Restores the store to its former state. */
    void tidy() throws InterruptedException {
        records.delete(demoRun.stock());
        // The record of hand-overs stays with an election, and this one is over.
        baton.records(LeaderElection.HAND_OVERS).delete(demoRun.election());
        tidyConfiguration();
    }

    private void tidyConfiguration() throws InterruptedException {
        Records history = baton.records(demoRun.space() + ".history");
        for (ConfigEntry entry : configuration().history(MOST)) {
            history.delete(String.format(Locale.ROOT, "%016d", entry.change()));
        }
        Records settings = baton.records(demoRun.space());
        settings.delete(PRICE);
        settings.delete("$baton");
    }
}
