package io.baton.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Op;
import io.baton.etcd.EtcdWire.Header;
import io.baton.etcd.EtcdWire.Lease;
import io.baton.etcd.EtcdWire.Range;
import io.baton.etcd.EtcdWire.Result;
import io.baton.etcd.EtcdWire.Txn;
import io.baton.spi.EventLoop;
import io.baton.spi.support.Stamp;
import io.baton.testkit.etcd.EtcdBinaries;
import io.baton.testkit.etcd.EtcdCluster;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

    private static final Duration TTL = Duration.ofSeconds(4);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int ROUNDS = 6;
    private static final int HOLDS = 24;

    static List<EtcdBinaries> versions() {
        List<EtcdBinaries> all = EtcdBinaries.all();
        return all.size() == 1 ? all : List.of(all.get(0), all.get(all.size() - 1));
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
            Stamp sent = evidence.stamp();
            evidence.confirmed(sent, read(wire).get().header());
            cluster.freeze(old);
            int leader = cluster.leader();
            cluster.ctl(leader).expire(lease.id());
            write(cluster, leader, entries);

            Stamp renewing = evidence.stamp();
            Object before = evidence.before();
            CompletableFuture<Witness.Answer<Lease>> renewal =
                    wire.begin((now, reply) -> now.keepAlive(lease.id(), reply));
            cluster.wake(old);
            Witness.Answer<Lease> renewed = Witness.get(renewal);
            Lease answer = renewed.value();
            if (answer != null && !answer.ttl().isZero()) {
                evidence.renewed(renewing, before, answer.header());
            }
            Stamp reading = evidence.stamp();
            Result confirmed = read(wire).value();
            boolean counted = confirmed != null && evidence.confirmed(reading, confirmed.header());
            return new Told(answer, renewed.fault().toString(), confirmed == null ? null : confirmed.header(), counted);
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void liveLeases_revokedByALeaderThatWasReplaced_endTheirHoldsAndNothingIsWritten(EtcdBinaries etcd)
            throws Exception {
        List<Coordinator> clients = new ArrayList<>();
        try (EtcdCluster cluster = EtcdCluster.builder().binaries(etcd).start()) {
            int old = cluster.leader();
            List<Hold> holds = hold(cluster.uri(cluster.followers(), "app"), clients);
            cluster.freeze(old);
            // The time is the fault: until the old leader takes all leases for ended.
            SECONDS.sleep(TTL.toSeconds() + 2);
            await().until(() -> holds.stream().allMatch(hold -> hold.state() == HoldState.HELD));
            cluster.wake(old);
            cluster.awaitServing();
            // For as long as it may go on to revoke: it waits for the first ones in vain.
            SECONDS.sleep(8);

            List<String> standing = cluster.ctl(cluster.leader()).keys("/app/locks/");
            System.out.println("etcd " + etcd.version() + ", leader frozen for longer than leases live: it revoked "
                    + (HOLDS - standing.size()) + " of " + HOLDS + " that were alive");
            for (int i = 0; i < HOLDS; i++) {
                String line = "/app/locks/" + i + "/";
                boolean stands = standing.stream().anyMatch(key -> key.startsWith(line));
                Hold hold = holds.get(i);
                assertThat(write(clients.get(i), hold)).isEqualTo(stands);
                await().atMost(TTL).until(() -> hold.state() == (stands ? HoldState.HELD : HoldState.LOST));
            }
            clients.forEach(Coordinator::close);
        }
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

    private static boolean write(Coordinator client, Hold hold) throws InterruptedException {
        Op op = Op.put(client.records("written").key("by"), Long.toString(hold.token()));
        try {
            return client.transact(List.of(Guard.held(hold)), List.of(op));
        } catch (CoordinationException refusedHere) {
            return false;
        }
    }

    private static Witness connect(String uri) {
        EtcdAddress address = EtcdAddress.parse(URI.create(uri));
        return new Witness(Duration.ofSeconds(15), loop -> LiveEtcdWire.to(address, Settings.NONE, loop))
                .awaitConnected();
    }

    private static Witness.Answer<Result> read(Witness wire) {
        return wire.ask((now, reply) -> now.txn(Txn.read(Range.presence("/app/nothing")), reply));
    }
}
