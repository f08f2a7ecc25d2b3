package io.baton.benchmarks.failover;

import io.baton.benchmarks.ByWord;
import io.baton.benchmarks.Measurement;
import io.baton.chaos.election.ClusterSite;
import io.baton.chaos.election.EtcdSite;
import io.baton.chaos.election.Site;
import io.baton.testkit.server.Directories;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures how long it takes until somebody else leads. */
@Command(
        name = "failover",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures how long it takes until another candidate leads, all in processes of their own: Baton beside"
                        + " Curator's LeaderLatch on ZooKeeper, and beside etcdctl elect on etcd.")
public final class FailoverCommand extends Measurement {

    /** Not in step with anybody's heartbeats. */
    private static final int MOST_PAUSE_MILLIS = 1_000;

    private static final int LEAST_PAUSE_MILLIS = 200;
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final Duration AT_ONCE = Duration.ofMillis(50);

    @Parameters(
            paramLabel = "CASE",
            converter = CaseByWord.class,
            description = "Cases to measure; all if none is named: killed, frozen, cut-off, resigned, handed-over,"
                    + " server-lost.")
    private List<FailoverCase> cases = new ArrayList<>();

    @Option(
            names = "--store",
            paramLabel = "STORE",
            converter = StoreByWord.class,
            description = "zk or etcd (default: zk). An etcd is looked for where $BATON_ETCD says, or in the path.")
    private Arena arena = Arena.ZOOKEEPER;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds of each case (default: ${DEFAULT-VALUE}).")
    private int rounds = 20;

    @Option(
            names = "--ttl",
            paramLabel = "SECONDS",
            description = "How long sessions live (default: ${DEFAULT-VALUE}).")
    private int ttlSeconds = 4;

    @Option(
            names = "--etcdctl",
            description = "etcdctl elect instead, all rounds at once, as its leases last a minute; on etcd only.")
    private boolean etcdctl;

    private final Random random = new Random();

    /** Filled by its options. */
    public FailoverCommand() {}

    @Override
    public Integer call() throws Exception {
        FailoverResults results = new FailoverResults(arena.scheme());
        printHead("sessions of " + (etcdctl ? EtcdctlElect.TTL_SECONDS : ttlSeconds)
                + " s, each candidate in a process of its own");
        Path folder = Directories.temporary("failover");
        try {
            if (etcdctl) {
                withEtcdctl(results);
            } else {
                onOne(results, folder);
                onThree(results, folder);
            }
        } finally {
            Directories.delete(folder);
        }
        finish("failover-" + arena.scheme() + (etcdctl ? "-etcdctl" : ""), results::write);
        return 0;
    }

    private void withEtcdctl(FailoverResults results) throws Exception {
        try (EtcdSite site = new EtcdSite()) {
            begin(site);
            new EtcdctlElect(site).measure(rounds, results);
            Duration bound = Duration.ofSeconds(EtcdctlElect.TTL_SECONDS)
                    .plus(site.granularity())
                    .plus(GRACE);
            for (FailoverCase what : FailoverCase.values()) {
                show(results, what, what.isFoundOut() ? bound : Duration.ZERO);
            }
        }
    }

    private void onOne(FailoverResults results, Path folder) throws Exception {
        List<FailoverCase> its = Stream.of(FailoverCase.values())
                .filter(what -> what != FailoverCase.SERVER_LOST && wanted(what))
                .toList();
        if (its.isEmpty()) {
            return;
        }
        try (Site site = arena.one()) {
            begin(site);
            List<Party> parties = arena.onOne(site, Duration.ofSeconds(ttlSeconds), folder);
            try {
                for (FailoverCase what : its) {
                    for (int round = 0; round < rounds; round++) {
                        play(what, round, parties, results);
                    }
                    show(results, what, bound(what, site));
                }
            } finally {
                parties.forEach(Party::close);
            }
        }
    }

    /** Where it takes long, all at once; where it does not, one after the other. */
    private void play(FailoverCase what, int round, List<Party> parties, FailoverResults results) throws Exception {
        List<Party> its = parties.stream().filter(party -> party.has(what)).toList();
        pause(what.isFoundOut() ? MOST_PAUSE_MILLIS : LEAST_PAUSE_MILLIS);
        List<List<Party>> turns =
                what.isFoundOut() ? List.of(its) : its.stream().map(List::of).toList();
        for (List<Party> turn : turns) {
            List<Party.Trial> trials = new ArrayList<>();
            for (Party party : turn) {
                trials.add(party.begin(what));
            }
            for (int i = 0; i < turn.size(); i++) {
                results.add(what, turn.get(i).name(), round, trials.get(i).await());
            }
            for (Party.Trial trial : trials) {
                trial.restore();
            }
        }
    }

    private void onThree(FailoverResults results, Path folder) throws Exception {
        if (!wanted(FailoverCase.SERVER_LOST)) {
            return;
        }
        try (ClusterSite site = arena.three()) {
            begin(site);
            List<Party> parties = arena.onThree(site, Duration.ofSeconds(ttlSeconds), folder);
            try {
                for (int round = 0; round < rounds; round++) {
                    loseServer(round, site, parties, results);
                }
                show(results, FailoverCase.SERVER_LOST, Duration.ZERO);
            } finally {
                parties.forEach(Party::close);
            }
        }
    }

    private void loseServer(int round, ClusterSite site, List<Party> parties, FailoverResults results)
            throws Exception {
        for (Party party : parties) {
            party.awaitLeader();
        }
        pause(MOST_PAUSE_MILLIS);
        int leader = site.leader();
        List<Party.Trial> trials = new ArrayList<>();
        for (Party party : parties) {
            trials.add(party.begin(FailoverCase.SERVER_LOST));
        }
        site.kill(leader);
        trials.forEach(Party.Trial::done);
        for (int i = 0; i < parties.size(); i++) {
            results.add(
                    FailoverCase.SERVER_LOST,
                    parties.get(i).name(),
                    round,
                    trials.get(i).await());
        }
        site.restore();
    }

    private void pause(int most) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(LEAST_PAUSE_MILLIS + random.nextInt(most));
    }

    private Duration bound(FailoverCase what, Site site) {
        return what.isFoundOut()
                ? Duration.ofSeconds(ttlSeconds).plus(site.granularity()).plus(GRACE)
                : AT_ONCE;
    }

    private static void begin(Site site) {
        System.out.println("\n" + site.what() + "\n\n" + FailoverResults.head());
    }

    private static void show(FailoverResults results, FailoverCase what, Duration bound) {
        results.lines(what, bound).forEach(System.out::println);
    }

    private boolean wanted(FailoverCase what) {
        return cases.isEmpty() || cases.contains(what);
    }

    private static final class StoreByWord extends ByWord<Arena> {
        StoreByWord() {
            super("store", Arena.class, Arena::scheme);
        }
    }

    private static final class CaseByWord extends ByWord<FailoverCase> {
        CaseByWord() {
            super("case", FailoverCase.class, FailoverCase::word);
        }
    }
}
