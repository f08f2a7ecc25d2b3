package io.baton.examples;

import io.baton.Coordinator;
import io.baton.Dialect;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.ElectionListener;
import io.baton.election.LeaderElection;
import io.baton.zookeeper.ZooKeeperDialects;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Shares locks and elections with programs that do not use Baton, at the paths where they have them. */
public final class Migration {

    private Migration() {}

    /** Reports once; the argument is the store, {@code zk://localhost:2181/shop} if it is left out. */
    public static void main(String[] args) throws InterruptedException {
        String store = args.length > 0 ? args[0] : "zk://localhost:2181/shop";
        report(store, hold -> System.out.println("reported under token " + hold.token()));
    }

    static void report(String store, Consumer<Hold> report) throws InterruptedException {
        // tag::beside[]
        try (Coordinator baton = Coordinator.connect(store);
                Hold hold = baton.lockAt("/legacy/locks/report", ZooKeeperDialects.CURATOR)
                        .acquire()) { // or KAZOO
            report.accept(hold);
        }
        // end::beside[]
    }

    static Candidacy standBesideLatches(Coordinator baton, String id, ElectionListener work) {
        // tag::latch[]
        LeaderElection election = LeaderElection.at(baton, "/legacy/leader", ZooKeeperDialects.CURATOR_LATCH);
        Candidacy candidacy = election.run(Candidate.of(id), work); // the store shows the id, and nothing else
        // end::latch[]
        return candidacy;
    }

    static Optional<Hold> tryBesideEtcdctl(Coordinator baton) throws InterruptedException {
        // tag::etcdctl[]
        DistributedLock lock = baton.lockAt("/legacy/report", Dialect.BATON); // etcdctl lock /legacy/report
        Optional<Hold> acquired = lock.tryAcquire(Duration.ofSeconds(30));
        // end::etcdctl[]
        return acquired;
    }
}
