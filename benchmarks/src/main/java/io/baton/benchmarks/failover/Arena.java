package io.baton.benchmarks.failover;

import io.baton.chaos.candidate.CandidateArguments;
import io.baton.chaos.candidate.CandidateMain;
import io.baton.chaos.election.CandidatePlan;
import io.baton.chaos.election.ClusterSite;
import io.baton.chaos.election.Electorate;
import io.baton.chaos.election.EtcdSite;
import io.baton.chaos.election.Site;
import io.baton.chaos.election.ZooKeeperSite;
import io.baton.chaos.servers.EtcdServers;
import io.baton.chaos.servers.ZooKeeperServers;
import io.baton.election.WhenSuspended;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** On which store, and who is compared there. */
enum Arena {

    /** ZooKeeper, beside Curator. */
    ZOOKEEPER("zk") {
        @Override
        Site one() {
            return new ZooKeeperSite();
        }

        @Override
        ClusterSite three() throws InterruptedException {
            return new ClusterSite(ZooKeeperServers.start(Optional.empty(), false), Duration.ofMillis(200));
        }

        @Override
        void addPeers(List<Party> to, Site site, Duration ttl, Path folder) throws InterruptedException {
            Set<FailoverCase> its = EnumSet.of(
                    FailoverCase.KILLED,
                    FailoverCase.FROZEN,
                    FailoverCase.CUT_OFF,
                    FailoverCase.RESIGNED,
                    FailoverCase.SERVER_LOST);
            CandidatePlan crew = crew(LatchMain.class, "curator", ttl, WhenSuspended.STOP, false);
            to.add(new ProcessParty("curator", its, new Electorate(crew, site, folder)));
        }
    },

    /** etcd; {@code etcdctl elect} is measured apart. */
    ETCD("etcd") {
        @Override
        Site one() {
            return new EtcdSite();
        }

        @Override
        ClusterSite three() {
            return new ClusterSite(EtcdServers.start(), Duration.ofMillis(500));
        }

        @Override
        void addPeers(List<Party> to, Site site, Duration ttl, Path folder) {
            // What could stand here are libraries for Go.
        }
    };

    private static final int PROCESSES = 3;
    private static final int HEAP_MEGABYTES = 64;

    private final String scheme;

    Arena(String scheme) {
        this.scheme = scheme;
    }

    /** As in the store's URIs. */
    String scheme() {
        return scheme;
    }

    /** Starts one server. */
    abstract Site one();

    /** Starts a cluster of three. */
    abstract ClusterSite three() throws InterruptedException;

    abstract void addPeers(List<Party> to, Site site, Duration ttl, Path folder) throws InterruptedException;

    /** Those who are compared on one server. */
    List<Party> onOne(Site site, Duration ttl, Path folder) throws InterruptedException {
        List<Party> parties = new ArrayList<>();
        parties.add(baton("baton", WhenSuspended.STOP, false, site, ttl, folder));
        addPeers(parties, site, ttl, folder);
        return parties;
    }

    /** Those who are compared when a cluster loses its leader. */
    List<Party> onThree(Site site, Duration ttl, Path folder) throws InterruptedException {
        List<Party> parties = new ArrayList<>();
        parties.add(baton("baton-stop", WhenSuspended.STOP, true, site, ttl, folder));
        parties.add(baton("baton-ride-out", WhenSuspended.RIDE_OUT, true, site, ttl, folder));
        addPeers(parties, site, ttl, folder);
        return parties;
    }

    private static Party baton(
            String name, WhenSuspended whenSuspended, boolean writes, Site site, Duration ttl, Path folder)
            throws InterruptedException {
        CandidatePlan crew = crew(CandidateMain.class, name, ttl, whenSuspended, writes);
        return new ProcessParty(name, EnumSet.allOf(FailoverCase.class), new Electorate(crew, site, folder));
    }

    private static CandidatePlan crew(
            Class<?> main, String election, Duration ttl, WhenSuspended whenSuspended, boolean writes) {
        CandidatePlan.Words words = (name, uri) -> new CandidateArguments(
                        name, uri, ttl, election, 1, whenSuspended, ttl.dividedBy(4), false, writes)
                .words();
        return new CandidatePlan(main, words, election + "-", PROCESSES, HEAP_MEGABYTES);
    }
}
