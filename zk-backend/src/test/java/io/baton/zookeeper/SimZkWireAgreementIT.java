package io.baton.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.spi.EventLoop;
import io.baton.spi.Loop;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.testkit.zookeeper.ZooKeeperEnsemble;
import io.baton.zookeeper.wire.LiveZkWire;
import io.baton.zookeeper.wire.Settings;
import io.baton.zookeeper.wire.ZkAddress;
import io.baton.zookeeper.wire.ZkWire;
import io.baton.zookeeper.wire.ZkWire.Change;
import io.baton.zookeeper.wire.ZkWire.Node;
import io.baton.zookeeper.wire.ZkWire.ZkOp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;

/** The simulated wire and server answer and tell the same, in the same order, as the real ones. */
class SimZkWireAgreementIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration TICK = Duration.ofSeconds(2);

    @Test
    void requests_onOneConnection_sameAnswersAndEventsInTheSameOrder() throws InterruptedException {
        assertThat(simulated(SimZkWireAgreementIT::requests)).isEqualTo(real(SimZkWireAgreementIT::requests));
    }

    @Test
    void watches_acrossAReconnection_sameEventsInTheSameOrder() throws InterruptedException {
        assertThat(simulated(SimZkWireAgreementIT::reconnect)).isEqualTo(real(SimZkWireAgreementIT::reconnect));
    }

    @Test
    void session_ended_sameAnswersAndEventsInTheSameOrder() throws InterruptedException {
        assertThat(simulated(SimZkWireAgreementIT::expiry)).isEqualTo(real(SimZkWireAgreementIT::expiry));
    }

    @Test
    void entries_removedByOneMulti_sameAnswersAndEventsInTheSameOrder() throws InterruptedException {
        assertThat(simulated(SimZkWireAgreementIT::removals)).isEqualTo(real(SimZkWireAgreementIT::removals));
    }

    @Test
    void server_killedAndRestarted_sameSessionAndSameEpoch() throws InterruptedException {
        assertThat(simulated(SimZkWireAgreementIT::restart)).isEqualTo(real(SimZkWireAgreementIT::restart));
    }

    @Test
    void leader_killed_sameSessionsAndANewEpoch() throws InterruptedException {
        var simulated = new SimulatedRig(3);
        failOver(simulated);
        try (ZooKeeperEnsemble ensemble =
                        ZooKeeperEnsemble.builder().tickTime(TICK).start();
                RealEnsembleRig real = new RealEnsembleRig(ensemble)) {
            failOver(real);
            assertThat(answers(simulated)).isEqualTo(answers(real));
        }
    }

    private static void restart(Rig rig) {
        Client c = rig.client();
        Client other = rig.client();
        c.create("/t", CreateMode.PERSISTENT);
        c.create("/t/mine", CreateMode.EPHEMERAL);
        rig.settle(c);
        other.watch("/t/mine");
        rig.settle(other);
        rig.lead(false);
        rig.lead(true);
        rig.recover(c);
        rig.recover(other);
        c.read("/t/mine");
        c.create("/t/later", CreateMode.PERSISTENT);
        rig.settle(c);
        other.read("/t/mine");
        rig.settle(other);
        c.delete("/t/mine");
        rig.settle(c);
        rig.settle(other);
    }

    private static void failOver(Rig rig) {
        Client c = rig.client();
        Client other = rig.client();
        c.create("/t", CreateMode.PERSISTENT);
        // More transactions than it takes others to look whether the servers serve.
        for (int i = 0; i < 100; i++) {
            c.create("/t/" + i, CreateMode.PERSISTENT);
        }
        c.create("/t/mine", CreateMode.EPHEMERAL);
        rig.settle(c);
        other.create("/t/others", CreateMode.EPHEMERAL);
        rig.settle(other);
        rig.lead(false);
        rig.recover(c);
        rig.recover(other);
        c.read("/t/mine");
        c.create("/t/later", CreateMode.PERSISTENT);
        rig.settle(c);
        rig.lead(true);
        rig.recover(c);
        rig.recover(other);
        c.read("/t/others");
        other.create("/t/last", CreateMode.PERSISTENT);
        rig.settle(c);
        rig.settle(other);
    }

    /** What was answered, without how often the clients lost and found the servers meanwhile. */
    private static List<List<String>> answers(Rig rig) {
        return rig.logs().stream()
                .map(log -> log.stream().filter(line -> line.contains(" -> ")).toList())
                .toList();
    }

    private static void requests(Rig rig) {
        Client c = rig.client();
        c.create("/t", CreateMode.PERSISTENT);
        c.create("/t", CreateMode.PERSISTENT);
        c.create("/missing/a", CreateMode.PERSISTENT);
        c.create("/t/x-", CreateMode.EPHEMERAL_SEQUENTIAL);
        c.children("/t");
        c.create("/t/x-", CreateMode.EPHEMERAL_SEQUENTIAL);
        c.create("/t/x-0000000000/below", CreateMode.PERSISTENT);
        c.children("/missing");
        c.watch("/t/x-0000000000");
        c.watch("/t/x-0000000000");
        c.delete("/t/x-0000000000");
        c.delete("/t/x-0000000000");
        c.delete("/t");
        c.create("/t/x-", CreateMode.PERSISTENT_SEQUENTIAL);
        c.watch("/t/later");
        c.create("/t/later", CreateMode.PERSISTENT);
        c.unwatch("/t/later");
        c.watch("/t/later");
        c.unwatch("/t/later");
        c.multi(new ZkOp.Write("/t/later", "1".getBytes(UTF_8), 0), new ZkOp.Check("/t/later", 1));
        c.read("/t/later");
        c.multi(new ZkOp.Check("/t", -1), new ZkOp.Write("/t/later", new byte[0], 0), new ZkOp.Check("/t", 7));
        c.multi(new ZkOp.Create("/t/n", new byte[0]), new ZkOp.Create("/t/later", new byte[0]));
        c.multi(new ZkOp.Create("/t/n", new byte[0]), new ZkOp.Delete("/t", -1));
        c.multi(new ZkOp.Check("/t/nothing", -1));
        c.multi(new ZkOp.Create("/t/n", new byte[0]), new ZkOp.Delete("/t/n", -1));
        c.read("/t/n");
        c.follow("/t");
        c.watch("/t/later");
        c.multi(new ZkOp.Write("/t/later", new byte[0], -1), new ZkOp.Create("/t/m", new byte[0]));
        c.delete("/t/later");
        c.create("/t/line", CreateMode.CONTAINER);
        c.create("/t/line/e", CreateMode.EPHEMERAL);
        c.unwatch("/t");
        c.delete("/t/line/e");
        c.read("/t/line");
        c.children("/t/line");
        rig.settle(c);
    }

    private static void removals(Rig rig) {
        Client owner = rig.client();
        Client other = rig.client();
        owner.create("/l", CreateMode.PERSISTENT);
        for (int i = 0; i < 4; i++) {
            owner.create("/l/x-", CreateMode.EPHEMERAL_SEQUENTIAL);
        }
        rig.settle(owner);
        other.create("/l/x-", CreateMode.EPHEMERAL_SEQUENTIAL);
        other.watch("/l/x-0000000001");
        other.follow("/l");
        rig.settle(other);
        owner.watch("/l/x-0000000002");
        rig.settle(owner);
        other.multi(
                new ZkOp.Check("/l/x-0000000004", -1),
                new ZkOp.Delete("/l/x-0000000002", -1),
                new ZkOp.Delete("/l/x-0000000001", -1));
        rig.settle(other);
        rig.settle(owner);
        other.multi(new ZkOp.Delete("/l/x-0000000003", -1), new ZkOp.Delete("/l/x-0000000001", -1));
        other.multi(new ZkOp.Check("/l/x-0000000001", -1), new ZkOp.Delete("/l/x-0000000000", -1));
        other.children("/l");
        rig.settle(other);
        owner.multi(new ZkOp.Delete("/l/x-0000000000", -1), new ZkOp.Delete("/l/x-0000000000", -1));
        owner.multi(
                new ZkOp.Delete("/l/x-0000000004", -1),
                new ZkOp.Delete("/l/x-0000000003", -1),
                new ZkOp.Delete("/l/x-0000000000", -1));
        owner.create("/l/x-", CreateMode.EPHEMERAL_SEQUENTIAL);
        rig.settle(owner);
        rig.settle(other);
        rig.expire(owner);
        other.children("/l");
        rig.settle(other);
    }

    private static void reconnect(Rig rig) {
        Client one = rig.client();
        Client other = rig.client();
        one.create("/t", CreateMode.PERSISTENT);
        for (String name : List.of("gone", "back", "written", "same", "late", "unwatched")) {
            one.create("/t/" + name, CreateMode.PERSISTENT);
            one.watch("/t/" + name);
        }
        one.unwatch("/t/unwatched");
        one.create("/f", CreateMode.PERSISTENT);
        one.follow("/f");
        rig.settle(one);
        rig.partOnly(one);
        other.delete("/t/gone");
        other.delete("/t/back");
        other.create("/t/back", CreateMode.PERSISTENT);
        other.multi(new ZkOp.Write("/t/written", new byte[0], -1));
        other.delete("/t/unwatched");
        other.create("/f/missed", CreateMode.PERSISTENT);
        rig.settle(other);
        rig.rejoin(one);
        rig.settle(one);
        // Replayed watches come in no particular order.
        Collections.sort(one.log.subList(one.log.indexOf("disconnected"), one.log.size()));
        other.multi(new ZkOp.Write("/t/gone", new byte[0], -1));
        other.multi(new ZkOp.Write("/t/back", new byte[0], -1));
        other.multi(new ZkOp.Write("/t/same", new byte[0], -1));
        other.multi(new ZkOp.Write("/t/same", new byte[0], -1));
        other.create("/f/seen", CreateMode.PERSISTENT);
        other.delete("/f/seen");
        other.delete("/t/late");
        rig.settle(other);
        rig.settle(one);
        one.unwatch("/f");
        one.watch("/t/same");
        rig.settle(one);
        other.create("/f/unseen", CreateMode.PERSISTENT);
        other.delete("/t/same");
        rig.settle(other);
        rig.settle(one);
    }

    private static void expiry(Rig rig) {
        Client c = rig.client();
        Client other = rig.client();
        // The dying session itself does not watch: whether a server still tells it of the end of its nodes is a race.
        c.create("/mine", CreateMode.EPHEMERAL);
        rig.settle(c);
        other.watch("/mine");
        rig.settle(other);
        rig.expire(c);
        c.read("/");
        c.multi(new ZkOp.Check("/", -1));
        rig.settle(c);
        other.read("/mine");
        rig.settle(other);
    }

    private interface Script {
        void play(Rig rig);
    }

    private static List<List<String>> simulated(Script script) {
        var rig = new SimulatedRig(1);
        script.play(rig);
        return rig.logs();
    }

    private static List<List<String>> real(Script script) {
        try (LocalZooKeeper server = LocalZooKeeper.builder().tickTime(TICK).start();
                RealRig rig = new RealRig(server)) {
            script.play(rig);
            return rig.logs();
        }
    }

    /** Clients of one server, simulated or real. */
    private abstract static class Rig {
        final List<Client> clients = new ArrayList<>();

        abstract Client client();

        /** Waits until all that was asked is answered, and what follows from it is told. */
        abstract void settle(Client client);

        /** The connection of this client breaks, and it cannot come back. */
        abstract void partOnly(Client client);

        /** It can, and has. */
        abstract void rejoin(Client client);

        /** The server ends the session of this client, and the client knows. */
        abstract void expire(Client client);

        /** The server that leads, or the only one, is killed; or it is started again. */
        abstract void lead(boolean again);

        /** This client is in contact again. */
        abstract void recover(Client client);

        List<List<String>> logs() {
            return clients.stream().map(client -> client.log).toList();
        }
    }

    private static final class SimulatedRig extends Rig {
        private final Simulation sim = new Simulation(1);
        private final SimZooKeeper zk;
        private final List<SimProcess> processes = new ArrayList<>();
        private final List<SimZkWire> wires = new ArrayList<>();

        SimulatedRig(int members) {
            zk = new SimZooKeeper(sim, members, TICK, 5);
        }

        @Override
        Client client() {
            var process = new SimProcess(sim, "c" + clients.size(), 0);
            Loop loop = process.thread("loop");
            var client = new Client();
            client.wire = SimZkWire.from(process, zk, loop, wires::add).open(TIMEOUT, client);
            processes.add(process);
            clients.add(client);
            sim.runFor(Duration.ofSeconds(1));
            return client;
        }

        @Override
        void settle(Client client) {
            sim.runFor(Duration.ofSeconds(1));
        }

        @Override
        void partOnly(Client client) {
            int which = clients.indexOf(client);
            zk.isolate(processes.get(which), Duration.ofSeconds(2));
            wires.get(which).connection().tear();
            sim.runFor(Duration.ofMillis(100));
        }

        @Override
        void rejoin(Client client) {
            sim.runFor(Duration.ofSeconds(8));
        }

        @Override
        void expire(Client client) {
            zk.expireByHand(client.session);
            sim.runFor(Duration.ofSeconds(8));
        }

        @Override
        void lead(boolean again) {
            if (!again) {
                zk.leader().crash(Duration.ofSeconds(8), false);
            }
            sim.runFor(Duration.ofSeconds(again ? 8 : 6));
        }

        @Override
        void recover(Client client) {
            sim.runFor(Duration.ofSeconds(1));
            assertThat(client.inContact).isTrue();
        }
    }

    /** Clients of real servers, which take their time. */
    private abstract static class LiveRig extends Rig implements AutoCloseable {
        private final List<EventLoop> loops = new ArrayList<>();

        Client connect(String servers) {
            var loop = new EventLoop("agreement");
            var client = new Client();
            var address = new ZkAddress(servers, "", TICK);
            client.wire = LiveZkWire.to(address, Settings.NONE, loop).open(TIMEOUT, client);
            loops.add(loop);
            clients.add(client);
            await().until(() -> client.log.contains("connected"));
            return client;
        }

        @Override
        void settle(Client client) {
            await().atMost(20, TimeUnit.SECONDS).until(() -> client.answered == client.asked);
            // What others have been answered, this client's server has told it before it answers again.
            client.barrier(client.wire);
            await().atMost(20, TimeUnit.SECONDS).until(() -> client.answered == client.asked);
        }

        @Override
        void recover(Client client) {
            await().atMost(30, TimeUnit.SECONDS).until(() -> client.inContact);
        }

        @Override
        public void close() {
            clients.forEach(client -> client.wire.close(ended -> client.answered = -1));
            await().atMost(20, TimeUnit.SECONDS)
                    .until(() -> clients.stream().allMatch(client -> client.answered == -1));
            loops.forEach(EventLoop::close);
        }
    }

    private static final class RealEnsembleRig extends LiveRig {
        private final ZooKeeperEnsemble ensemble;
        private int killed;

        RealEnsembleRig(ZooKeeperEnsemble ensemble) {
            this.ensemble = ensemble;
        }

        @Override
        Client client() {
            return connect(ensemble.connectString());
        }

        @Override
        void lead(boolean again) {
            try {
                if (again) {
                    ensemble.restart(killed);
                } else {
                    killed = ensemble.leader();
                    ensemble.kill(killed);
                    // Whoever was connected to it notices at once; the others when their servers do.
                    await().atMost(30, TimeUnit.SECONDS)
                            .until(() -> clients.stream().noneMatch(client -> client.inContact)
                                    || ensemble.leader() != killed);
                }
                ensemble.awaitServing();
            } catch (InterruptedException stop) {
                throw new AssertionError(stop);
            }
        }

        @Override
        void partOnly(Client client) {
            throw new UnsupportedOperationException();
        }

        @Override
        void rejoin(Client client) {
            throw new UnsupportedOperationException();
        }

        @Override
        void expire(Client client) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class RealRig extends LiveRig {
        private final LocalZooKeeper server;
        private final List<TcpProxy> proxies = new ArrayList<>();

        RealRig(LocalZooKeeper server) {
            this.server = server;
        }

        @Override
        Client client() {
            TcpProxy proxy = TcpProxy.to(server.address());
            proxies.add(proxy);
            return connect("127.0.0.1:" + proxy.port());
        }

        @Override
        void lead(boolean again) {
            if (again) {
                server.restart();
            } else {
                server.stop();
                await().atMost(20, TimeUnit.SECONDS)
                        .until(() -> clients.stream().noneMatch(client -> client.inContact));
            }
        }

        @Override
        void partOnly(Client client) {
            TcpProxy proxy = proxies.get(clients.indexOf(client));
            proxy.refuse();
            proxy.cut();
            await().until(() -> client.log.contains("disconnected"));
        }

        @Override
        void rejoin(Client client) {
            proxies.get(clients.indexOf(client)).accept();
            await().atMost(20, TimeUnit.SECONDS).until(() -> Collections.frequency(client.log, "connected") == 2);
        }

        @Override
        void expire(Client client) {
            server.expire(client.session);
            await().atMost(20, TimeUnit.SECONDS).until(() -> client.log.contains("expired"));
        }

        @Override
        public void close() {
            super.close();
            proxies.forEach(TcpProxy::close);
        }
    }

    /** Asks, and keeps what is answered and told, in order. */
    private static final class Client implements ZkWire.Events {
        final List<String> log = Collections.synchronizedList(new ArrayList<>());
        ZkWire wire;
        volatile int asked;
        volatile int answered;
        volatile boolean inContact;
        private volatile long session;
        private long created;

        void create(String path, CreateMode mode) {
            asked++;
            wire.create(path, new byte[0], mode, (code, node) -> {
                answer("create " + path, code, show(node) + born(node));
            });
        }

        void read(String path) {
            asked++;
            wire.read(path, (code, node) -> answer("read " + path, code, show(node)));
        }

        void watch(String path) {
            asked++;
            wire.watch(path, (code, node) -> answer("watch " + path, code, show(node)));
        }

        void children(String path) {
            asked++;
            wire.children(
                    path,
                    (code, names) ->
                            answer("children " + path, code, names == null ? "" : new TreeSet<>(names).toString()));
        }

        void delete(String path) {
            asked++;
            wire.delete(path, (code, nothing) -> answer("delete " + path, code, ""));
        }

        void follow(String path) {
            asked++;
            wire.follow(path, (code, nothing) -> answer("follow " + path, code, ""));
        }

        void unwatch(String path) {
            asked++;
            wire.unwatch(path, (code, nothing) -> answer("unwatch " + path, code, ""));
        }

        void multi(ZkOp... ops) {
            asked++;
            wire.multi(
                    List.of(ops),
                    (code, failedAt, zxid) -> answer("multi", code, "at " + failedAt + (zxid > 0 ? ", written" : "")));
        }

        void barrier(ZkWire through) {
            asked++;
            through.read("/", (code, node) -> answered++);
        }

        private void answer(String what, Code code, String value) {
            log.add(what + " -> " + code + " " + value);
            answered++;
        }

        /** How the transaction that made this node is numbered after the one before that did. */
        private String born(Node node) {
            if (node == null) {
                return "";
            }
            long before = created;
            created = node.czxid();
            boolean sameEpoch = before == 0 || before >>> 32 == created >>> 32;
            boolean anew = (int) created < (int) before;
            return (sameEpoch ? " same epoch" : before < created ? " later epoch" : " earlier epoch")
                    + (anew ? " counted anew" : " counted on");
        }

        private String show(Node node) {
            if (node == null) {
                return "";
            }
            String owner = node.owner() == 0 ? "nobody's" : node.owner() == session ? "mine" : "other";
            String written = node.czxid() == node.mzxid() ? "as made" : "written";
            String parent = node.pzxid() == node.czxid() ? "never had children" : "has had children";
            String order = node.pzxid() > node.mzxid() ? "last by a child" : "last by itself";
            return node.path() + " " + new String(node.data(), UTF_8) + " " + node.version() + " " + written + " "
                    + parent + " " + node.children() + " " + order + " " + owner;
        }

        @Override
        public void connected(long sessionId, Duration negotiated) {
            session = sessionId;
            log.add("connected");
            inContact = true;
        }

        @Override
        public void disconnected() {
            log.add("disconnected");
            inContact = false;
        }

        @Override
        public void trouble(Optional<String> why) {}

        @Override
        public void expired() {
            log.add("expired");
        }

        @Override
        public void closed(CoordinationException why) {
            log.add("over");
        }

        @Override
        public void changed(String path, Change change) {
            log.add(change + " " + path);
        }
    }
}
