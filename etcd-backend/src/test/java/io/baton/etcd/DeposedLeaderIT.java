package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Op;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.etcd.wire.LiveEtcdWire;
import io.baton.etcd.wire.Settings;
import io.baton.spi.EventLoop;
import io.baton.spi.support.SendStamp;
import io.baton.testkit.LongRun;
import io.baton.testkit.etcd.EtcdBinaries;
import io.baton.testkit.etcd.EtcdCluster;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A leader that was frozen while another was elected, and wakes: what its answers are worth, and what it does to others'
 * leases. What each version did is printed, as it is a race; asserted is that Baton is not deceived.
 */
@Tag("etcd")
@Timeout(180)
class DeposedLeaderIT {

    private static final Duration TTL = Duration.ofSeconds(8);
    private static final Duration BEAT = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int ROUNDS = LongRun.rounds(1, 6);
    private static final int HOLDS = 24;

    static List<EtcdBinaries> versions() {
        List<EtcdBinaries> all = EtcdBinaries.all();
        EtcdBinaries newest = all.get(all.size() - 1);
        return all.size() == 1 || !LongRun.asked() ? List.of(newest) : List.of(all.get(0), newest);
    }

    /** What the woken one answered. */
    private record Told(
            @Nullable Lease renewal, String fault, @Nullable Header read, boolean counted) {

        boolean claimsAlive() {
            return renewal != null && !renewal.ttl().isZero();
        }

        @Override
        public String toString() {
            String said = renewal == null
                    ? fault
                    : "ttl " + renewal.ttl().toSeconds() + " s in term "
                            + renewal.header().term();
            return said + (read == null ? ", then no read" : ", then a read in term " + read.term());
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void renewal_byALeaderThatWasReplaced_isNotCounted(EtcdBinaries etcd) {
        int deceptive = 0;
        try (EtcdCluster cluster = EtcdCluster.builder().binaries(etcd).start()) {
            for (int round = 0; round < ROUNDS; round++) {
                Told told = renewAtDeposedLeader(cluster, 0);
                System.out.println("etcd " + etcd.version() + ", lease gone, renewed by the deposed leader: " + told);
                assertThat(told.counted()).isFalse();
                deceptive += told.claimsAlive() ? 1 : 0;
            }
        }
        System.out.println("etcd " + etcd.version() + ": " + deceptive + " of " + ROUNDS
                + " deposed leaders renewed a lease that was gone");
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("versions")
    void renewal_byALeaderThatWasReplacedAndIsBroughtUpToDateByASnapshot_isNotCounted(EtcdBinaries etcd) {
        try (EtcdCluster cluster = EtcdCluster.builder()
                .binaries(etcd)
                .flag("--snapshot-count", "10")
                .start()) {
            Told told = renewAtDeposedLeader(cluster, 5_500);
            System.out.println("etcd " + etcd.version() + ", the same, and a snapshot: " + told);
            assertThat(told.counted()).isFalse();
        }
    }

    private static void write(EtcdCluster cluster, int leader, int entries) {
        try (Witness wire = connect(cluster.uriOf(leader, "app"))) {
            var put = new Txn(List.of(), List.of(new EtcdWire.Put("/app/filler", new byte[1], 0)), List.of());
            for (int done = 0; done < entries; done += 500) {
                List<CompletableFuture<Witness.Answer<Result>>> answers = new ArrayList<>();
                for (int i = 0; i < 500; i++) {
                    answers.add(wire.begin((now, reply) -> now.txn(put, reply)));
                }
                answers.forEach(answer -> Witness.get(answer).get());
            }
        }
    }

    private static Told renewAtDeposedLeader(EtcdCluster cluster, int entries) {
        cluster.awaitServing();
        int old = cluster.leader();
        try (Witness wire = connect(cluster.uriOf(old, "app"));
                EventLoop clock = new EventLoop("evidence")) {
            Evidence evidence = new Evidence(clock, Timing.of(LONG));
            evidence.connectionChanged();
            Lease lease =
                    wire.<Lease>ask((now, reply) -> now.grant(LONG, reply)).get();
            evidence.leases(List.of(lease.id()));
            SendStamp sent = evidence.stamp();
            evidence.confirmed(sent, read(wire).get().header());
            cluster.freeze(old);
            int leader = cluster.leader();
            cluster.ctl(leader).expire(lease.id());
            write(cluster, leader, entries);

            SendStamp renewing = evidence.stamp();
            Object before = evidence.before();
            CompletableFuture<Witness.Answer<Lease>> renewal =
                    wire.begin((now, reply) -> now.keepAlive(lease.id(), reply));
            cluster.wake(old);
            Witness.Answer<Lease> renewed = Witness.get(renewal);
            Lease answer = renewed.value();
            if (answer != null && !answer.ttl().isZero()) {
                evidence.renewed(lease.id(), renewing, before, answer.header());
            }
            SendStamp reading = evidence.stamp();
            Result confirmed = read(wire).value();
            boolean counted = confirmed != null && evidence.confirmed(reading, confirmed.header());
            return new Told(answer, renewed.fault().toString(), confirmed == null ? null : confirmed.header(), counted);
        }
    }

    /** It ends leases that are renewed all the time, if it knew them; so each session has moved to another one by then. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("versions")
    void holds_leaderFrozenForLongerThanLeasesLiveWakes_goOn(EtcdBinaries etcd) throws Exception {
        List<Coordinator> clients = new ArrayList<>();
        try (EtcdCluster cluster = EtcdCluster.builder().binaries(etcd).start()) {
            int old = cluster.leader();
            String followers = cluster.uri(cluster.followers(), "app");
            // What waits for the frozen one is given up soon, and asked again.
            try (Witness wire = connect(followers, BEAT)) {
                List<Hold> holds = hold(followers, clients);
                List<Long> others = lease(wire);
                cluster.freeze(old);
                // The time is the fault: until the old leader takes all leases for ended.
                renewFor(TTL.plusSeconds(2), wire, others);
                // Some may have ended for want of a renewal in time, where the machine is busy.
                long alive = renew(wire, others);
                assertThat(alive).isGreaterThan(HOLDS / 2);
                cluster.wake(old);
                cluster.awaitServing();
                // For as long as it may go on to end them: it waits for the first ones in vain.
                renewFor(Duration.ofSeconds(8), wire, others);

                System.out.println("etcd " + etcd.version() + ", leader frozen for longer than leases live: it ended "
                        + (alive - renew(wire, others)) + " of " + alive + " that were renewed, and none of Baton's");
                int written = 0;
                for (int i = 0; i < HOLDS; i++) {
                    written += writesOn(clients.get(i), holds.get(i)) ? 1 : 0;
                }
                assertThat(written).isGreaterThan(HOLDS / 2);
            }
            clients.forEach(Coordinator::close);
        }
    }

    private static List<Long> lease(Witness wire) {
        List<Long> leases = new ArrayList<>();
        for (int i = 0; i < HOLDS; i++) {
            leases.add(
                    wire.<Lease>ask((now, reply) -> now.grant(TTL, reply)).get().id());
        }
        return leases;
    }

    private static void renewFor(Duration time, Witness wire, List<Long> leases) throws InterruptedException {
        for (long end = System.nanoTime() + time.toNanos(); System.nanoTime() < end; ) {
            renew(wire, leases);
            Thread.sleep(BEAT.toMillis());
        }
    }

    /** How many of them live. */
    private static long renew(Witness wire, List<Long> leases) {
        List<CompletableFuture<Witness.Answer<Lease>>> answers = new ArrayList<>();
        leases.forEach(lease -> answers.add(wire.begin((now, reply) -> now.keepAlive(lease, reply))));
        return answers.stream()
                .map(answer -> Witness.get(answer).value())
                .filter(lease -> lease != null && !lease.ttl().isZero())
                .count();
    }

    private static List<Hold> hold(String uri, List<Coordinator> clients) throws InterruptedException {
        List<Hold> holds = new ArrayList<>();
        for (int i = 0; i < HOLDS; i++) {
            Coordinator client = Coordinator.connect(
                    uri, CoordinatorOptions.builder().ttl(TTL).build());
            clients.add(client);
            holds.add(client.lock(Integer.toString(i)).acquire());
        }
        return holds;
    }

    /**
     * Returns whether the hold lives, seen by a write that it guards. Where the machine is busy, one may be lost for
     * want of a confirmation in time; the end of a lease gives other reasons.
     */
    private static boolean writesOn(Coordinator client, Hold hold) {
        Op op = Op.put(client.records("written").key("by"), Long.toString(hold.token()));
        await().atMost(LONG)
                .ignoreExceptions()
                .until(() -> hold.state() == HoldState.LOST
                        || client.transact(List.of(Guard.held(hold)), List.of(op)) && hold.state() == HoldState.HELD);
        if (hold.state() == HoldState.HELD) {
            return true;
        }
        assertThatThrownBy(() -> hold.ensureValid(Duration.ZERO)).hasMessageContaining("did not confirm the session");
        return false;
    }

    private static Witness connect(String uri) {
        return connect(uri, Duration.ofSeconds(15));
    }

    private static Witness connect(String uri, Duration patience) {
        EtcdAddress address = EtcdAddress.parse(URI.create(uri));
        return new Witness(patience, loop -> LiveEtcdWire.to(address, Settings.NONE, new AtomicLong(), loop))
                .awaitConnected();
    }

    private static Witness.Answer<Result> read(Witness wire) {
        return wire.ask((now, reply) -> now.txn(Txn.read(Range.presence("/app/nothing")), reply));
    }
}
