package io.baton.benchmarks.failover;

import io.baton.chaos.election.EtcdSite;
import io.baton.testkit.etcd.Etcdctl;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.server.Freezer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code etcdctl elect}. Its leases last 60 s, and no option changes that; so as many elections as there are rounds, and all
 * at once.
 */
final class EtcdctlElect {

    static final String NAME = "etcdctl";
    static final long TTL_SECONDS = 60;

    private static final long LOOK_MILLIS = 50;
    private static final int MOST_LOOKS = 1_200;

    private final EtcdSite site;

    EtcdctlElect(EtcdSite site) {
        this.site = site;
    }

    /** Every case that it has. */
    void measure(int rounds, FailoverResults results) throws Exception {
        List<Pair> pairs = new ArrayList<>();
        try {
            for (FailoverCase what : List.of(FailoverCase.KILLED, FailoverCase.FROZEN, FailoverCase.CUT_OFF)) {
                for (int round = 0; round < rounds; round++) {
                    pairs.add(new Pair(what, round));
                }
            }
            for (Pair pair : pairs) {
                pair.begin();
            }
            for (Pair pair : pairs) {
                Measured measured = new Measured(pair.second.awaitElected() - pair.from, false);
                results.add(pair.what, NAME, pair.round, measured);
            }
        } finally {
            for (Pair pair : pairs) {
                pair.end();
            }
        }
        resign(rounds, results);
    }

    private void resign(int rounds, FailoverResults results) throws Exception {
        String election = "/etcdctl/resigned";
        ElectProcess leader = new ElectProcess(command(), election, "r");
        leader.awaitElected();
        for (int round = 0; round < rounds; round++) {
            ElectProcess next = new ElectProcess(command(), election, "r" + round);
            awaitStanding(election, 2);
            long from = System.nanoTime();
            leader.resign();
            results.add(FailoverCase.RESIGNED, NAME, round, new Measured(next.awaitElected() - from, false));
            leader = next;
            awaitStanding(election, 1);
        }
        leader.close();
    }

    private List<String> command() {
        return site.ctl().command();
    }

    private List<String> commandThrough(TcpProxy way) {
        List<String> command = new ArrayList<>(command());
        command.set(command.indexOf("--endpoints") + 1, "127.0.0.1:" + way.port());
        return command;
    }

    private void awaitStanding(String election, int count) throws InterruptedException {
        Etcdctl ctl = site.ctl();
        for (int i = 0; i < MOST_LOOKS; i++) {
            if (ctl.keys(election + "/").size() == count) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        throw new IllegalStateException("not " + count + " candidates in " + election);
    }

    /** One election: who leads, and who waits. */
    private final class Pair {

        private final FailoverCase what;
        private final int round;
        private final TcpProxy way = TcpProxy.to(site.addresses().get(0));
        private final ElectProcess first;
        private final ElectProcess second;
        private long from;
        private @Nullable Freezer frozen;

        Pair(FailoverCase what, int round) throws Exception {
            this.what = what;
            this.round = round;
            String election = "/etcdctl/" + what.word() + "-" + round;
            first = new ElectProcess(commandThrough(way), election, "first-" + what.word() + "-" + round);
            first.awaitElected();
            second = new ElectProcess(command(), election, "second-" + what.word() + "-" + round);
            awaitStanding(election, 2);
        }

        void begin() {
            from = System.nanoTime();
            switch (what) {
                case KILLED -> first.kill();
                case CUT_OFF -> way.hold();
                case FROZEN -> frozen = first.freeze();
                default -> throw new IllegalArgumentException(what.word());
            }
        }

        void end() throws InterruptedException {
            first.close();
            second.close();
            Freezer its = frozen;
            if (its != null) {
                its.thaw();
            }
            way.close();
        }
    }
}
