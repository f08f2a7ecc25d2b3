package io.baton.benchmarks.failover;

import io.baton.chaos.candidate.CandidateArguments;
import io.baton.chaos.candidate.CandidateMain;
import io.baton.chaos.candidate.Orders;
import io.baton.chaos.candidate.Printed;
import io.baton.chaos.history.EventKind;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** One candidate of Curator's {@code LeaderLatch}; told, and tells, what one of Baton's is and does. */
public final class LatchMain {

    private final CuratorFramework client;
    private final String path;
    private final String who;
    private final Printed notes;
    private final AtomicInteger terms = new AtomicInteger();
    private LeaderLatch latch;

    private LatchMain(CandidateArguments arguments, Printed notes) throws Exception {
        int ttl = (int) arguments.ttl().toMillis();
        this.client = CuratorFrameworkFactory.newClient(
                URI.create(arguments.uri()).getAuthority(), ttl, ttl, new ExponentialBackoffRetry(100, 10, 1000));
        this.path = "/latch/" + arguments.election();
        this.who = arguments.candidate(1);
        this.notes = notes;
        client.start();
        client.blockUntilConnected();
        this.latch = stand();
        notes.note(arguments.name(), EventKind.CONNECTED);
    }

    /** Stands until its input ends. */
    public static void main(String[] words) throws Exception {
        Printed notes = new Printed();
        LatchMain candidate = new LatchMain(CandidateArguments.of(words), notes);
        Orders.obey(candidate::obey);
    }

    private void obey(List<String> order) {
        if (!order.get(0).equals(CandidateMain.RESIGN)) {
            throw new IllegalArgumentException("not an order: " + order);
        }
        try {
            notes.note(who, EventKind.RESIGNING);
            latch.close();
            latch = stand();
        } catch (Exception failed) {
            throw new IllegalStateException("cannot resign", failed);
        }
    }

    private LeaderLatch stand() throws Exception {
        LeaderLatch standing = new LeaderLatch(client, path, who);
        standing.addListener(new Told());
        standing.start();
        return standing;
    }

    private final class Told implements LeaderLatchListener {

        @Override
        public void isLeader() {
            notes.note(who, EventKind.ELECTED, "term", terms.incrementAndGet());
        }

        @Override
        public void notLeader() {
            notes.note(who, EventKind.STOPPED, "term", terms.get());
        }
    }
}
