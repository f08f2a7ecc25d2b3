package io.baton.cli.demo;

import io.baton.Coordinator;
import io.baton.Item;
import io.baton.QueueEntry;
import io.baton.Records;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.election.HandOverException;
import io.baton.election.LeaderElection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** The demo's own view of the store: it sets the stock, counts it, and looks at the line. */
final class Office {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Coordinator baton;
    private final Venue venue;
    private final Records records;

    Office(Coordinator baton, Venue venue) {
        this.baton = baton;
        this.venue = venue;
        this.records = baton.records(Venue.TREE);
    }

    void stock(long tickets) throws InterruptedException {
        records.put(venue.stock(), Long.toString(tickets).getBytes(StandardCharsets.UTF_8));
    }

    long left() throws InterruptedException {
        return records.get(venue.stock()).map(Item::text).map(Long::parseLong).orElse(0L);
    }

    /** The line, once this many stand in it. */
    List<QueueEntry> queue(int atLeast) throws InterruptedException {
        for (long since = System.nanoTime(); ; Thread.sleep(20)) {
            List<QueueEntry> line = baton.lock(venue.lock()).queue();
            if (line.size() >= atLeast) {
                return line;
            }
            if (System.nanoTime() - since > LIMIT.toNanos()) {
                throw new Failure(Exit.FAILED, "only " + line.size() + " of " + atLeast + " came to stand in line");
            }
        }
    }

    /** Who sells in the last act. */
    LeaderElection election() {
        return LeaderElection.named(baton, venue.election());
    }

    /** Has whoever leads hand over to this one, as soon as it stands in the line. */
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

    /** Leaves the store as it was found. */
    void tidy() throws InterruptedException {
        records.delete(venue.stock());
        // What has been said of hand-overs stays with an election, and this one is over.
        baton.records(LeaderElection.HAND_OVERS).delete(venue.election());
    }
}
