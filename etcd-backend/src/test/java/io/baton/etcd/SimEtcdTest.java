package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.SimStore.Command;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Reply;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The model behaves as etcd does, in what the policy depends on. */
class SimEtcdTest {

    private static final Duration ELECTION = Duration.ofSeconds(1);
    private static final byte[] NONE = {};

    private final Simulation sim = new Simulation(7);
    private final SimEtcd etcd = new SimEtcd(sim, ELECTION, true, 0);

    @Test
    void txn_conditionsHold_isAppliedAndAnswersWithWhatItSees() {
        SimMember any = etcd.members().get(0);
        run(1);
        Answer<Result> first = txn(any, put("/a/1", 0));
        Answer<Result> second = txn(
                any,
                new Txn(
                        List.of(new Compare.Created("/a/2", 0)),
                        List.of(new Put("/a/2", NONE, 0), Range.newest("/a/", 2, 0)),
                        List.of()));
        assertThat(second.value().met()).isTrue();
        assertThat(second.value().parts().get(1).kvs())
                .extracting(EtcdWire.Kv::key)
                .containsExactly("/a/2", "/a/1");
        assertThat(second.value().header().revision())
                .isEqualTo(first.value().header().revision() + 1);
        assertThat(txn(any, put("/a/3", 4711)).fault.code()).isEqualTo(Code.NO_LEASE);
    }

    @Test
    void lease_notRenewed_endsWithItsKeysAtTheLeader() {
        SimMember any = etcd.members().get(0);
        run(1);
        long lease = grant(any);
        txn(any, put("/a", lease));
        run(3);
        assertThat(etcd.decided().find("/a")).isNull();
        assertThat(keepAlive(any, lease).value().ttl()).isZero();
    }

    @Test
    void keepAlive_atALeaderThatHasBeenReplaced_isAnsweredInTheOldTermAndReadsAreNot() {
        run(1);
        SimMember old = etcd.leader();
        long lease = grant(old);
        long term = txn(old, Txn.read(Range.presence("/a"))).value().header().term();
        old.stall(Duration.ofSeconds(9));
        Answer<Lease> renewed = keepAlive(old, lease);
        while (etcd.leader() == old || !etcd.ready()) {
            run(1);
            renewed = keepAlive(old, lease);
        }
        assertThat(renewed.value().ttl()).isPositive();
        assertThat(renewed.value().header().term()).isEqualTo(term);
        assertThat(txn(old, Txn.read(Range.presence("/a"))).fault).isNull();
        run(9);
        assertThat(txn(old, Txn.read(Range.presence("/a"))).value().header().term())
                .isGreaterThan(term);
    }

    @Test
    void lease_leaderReplaced_livesItsFullTimeAnew() {
        run(1);
        SimMember old = etcd.leader();
        long lease = grant(old);
        long granted = sim.now();
        old.freeze(Duration.ofSeconds(30));
        while (etcd.decided().leases().containsKey(lease)) {
            run(1);
        }
        assertThat(sim.now() - granted).isGreaterThan(Duration.ofSeconds(4).toNanos());
        assertThat(etcd.leader()).isNotEqualTo(old);
    }

    @Test
    void write_withoutAQuorum_isNotAnswered() {
        run(1);
        SimMember leader = etcd.leader();
        etcd.members().stream().filter(member -> member != leader).forEach(member -> member.freeze(ELECTION));
        Answer<Result> answer = new Answer<>();
        leader.txn(put("/a", 0), true, answer);
        sim.runFor(Duration.ofMillis(800));
        assertThat(answer.fault).isNull();
        assertThat(etcd.decided().find("/a")).isNull();
    }

    @Test
    void straggle_nextWrite_arrivesLongAfterTheConnectionBroke() {
        run(1);
        SimMember at = etcd.leader();
        boolean[] broken = {false};
        var connection = new SimConnection(etcd, new SimProcess(sim, "client", 0), at, () -> broken[0] = true);
        connection.straggle(Duration.ofSeconds(2).toNanos());
        connection.toServer(true, () -> at.txn(put("/late", 0), true, new Answer<>()));
        run(1);
        assertThat(broken[0]).isTrue();
        assertThat(etcd.decided().find("/late")).isNull();
        run(2);
        assertThat(etcd.decided().find("/late")).isNotNull();
    }

    @Test
    void watch_fromARevisionThatIsGone_endsCompacted_fromOneThatIsThere_tellsWhatHappenedSince() {
        SimMember any = etcd.members().get(0);
        run(1);
        long first = txn(any, put("/a", 0)).value().header().revision();
        txn(any, new Txn(List.of(), List.of(new Delete("/a")), List.of()));
        Seen since = watch(any, Range.below("/a"), first);
        Seen now = watch(any, Range.below("/a"), 0);
        Seen deletions = watch(any, Range.presence("/a"), first);
        run(1);
        assertThat(since.events).extracting(Event::deleted).containsExactly(false, true);
        assertThat(deletions.events).extracting(Event::deleted).containsExactly(true);
        assertThat(now.events).isEmpty();
        etcd.byHand(new Command.Compact(etcd.decided().revision()));
        run(1);
        Seen late = watch(any, Range.below("/a"), first);
        run(1);
        assertThat(Objects.requireNonNull(late.ended).code()).isEqualTo(Code.COMPACTED);
        assertThat(since.ended).isNull();
    }

    private void run(int seconds) {
        sim.runFor(Duration.ofSeconds(seconds));
    }

    private static Txn put(String key, long lease) {
        return new Txn(List.of(), List.of(new Put(key, NONE, lease)), List.of());
    }

    private long grant(SimMember at) {
        Answer<Lease> answer = new Answer<>();
        at.grant(Duration.ofSeconds(2), answer);
        sim.runFor(Duration.ofMillis(200));
        return answer.value().id();
    }

    private Answer<Lease> keepAlive(SimMember at, long lease) {
        Answer<Lease> answer = new Answer<>();
        at.keepAlive(lease, answer);
        sim.runFor(Duration.ofMillis(200));
        return answer;
    }

    private Answer<Result> txn(SimMember at, Txn txn) {
        Answer<Result> answer = new Answer<>();
        boolean writes = txn.then().stream().anyMatch(request -> !(request instanceof Range));
        at.txn(txn, writes, answer);
        sim.runFor(Duration.ofMillis(200));
        return answer;
    }

    private Seen watch(SimMember at, Range range, long from) {
        var seen = new Seen();
        var process = new SimProcess(sim, "client", 0);
        at.watch(new SimConnection(etcd, process, at, () -> {}), range, from, seen);
        return seen;
    }

    private static final class Answer<T> implements Reply<T> {
        @Nullable
        Fault fault;

        private @Nullable T value;

        @Override
        public void accept(Fault how, @Nullable T answer) {
            fault = how;
            value = answer;
        }

        T value() {
            return Objects.requireNonNull(value);
        }
    }

    private static final class Seen implements EtcdWire.Watcher {
        final List<Event> events = new ArrayList<>();

        @Nullable
        Fault ended;

        @Override
        public void created(Header header) {}

        @Override
        public void events(List<Event> seen, Header header) {
            events.addAll(seen);
        }

        @Override
        public void ended(Fault why) {
            ended = why;
        }
    }
}
