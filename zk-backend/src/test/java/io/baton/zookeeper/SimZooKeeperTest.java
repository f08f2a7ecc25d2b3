package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.zookeeper.ZkWire.Change;
import io.baton.zookeeper.ZkWire.Node;
import io.baton.zookeeper.ZkWire.ZkOp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;

/** The model behaves as ZooKeeper and its client library do, in what the policy depends on. */
class SimZooKeeperTest {

    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration TIMEOUT = Duration.ofSeconds(4);
    private static final byte[] NONE = {};

    @Test
    void create_andChildrenBackToBack_listingShowsTheEntry() {
        var world = new World(1, 3);
        Client client = world.client("c");
        client.make("/line", CreateMode.PERSISTENT);
        client.wire.create("/line/x-", NONE, CreateMode.EPHEMERAL_SEQUENTIAL, client::created);
        client.wire.children("/line", client::listed);
        world.run(Duration.ofSeconds(1));
        assertThat(client.log).contains("OK /line/x-0000000000", "OK [x-0000000000]");
    }

    @Test
    void create_sequential_isNumberedByTheChildrenEverMade() {
        var world = new World(2, 1);
        Client client = world.client("c");
        client.make("/line", CreateMode.PERSISTENT);
        client.make("/line/a-", CreateMode.EPHEMERAL_SEQUENTIAL);
        client.wire.delete("/line/a-0000000000", client::done);
        client.make("/line/b-", CreateMode.EPHEMERAL_SEQUENTIAL);
        client.make("/line/plain", CreateMode.PERSISTENT);
        client.make("/line/c-", CreateMode.EPHEMERAL_SEQUENTIAL);
        assertThat(client.log).contains("OK /line/b-0000000001", "OK /line/c-0000000003");
    }

    @Test
    void create_parentMissingOrNodeThere_saysSo() {
        var world = new World(3, 1);
        Client client = world.client("c");
        client.make("/a/b", CreateMode.PERSISTENT);
        client.make("/a", CreateMode.PERSISTENT);
        client.make("/a", CreateMode.PERSISTENT);
        assertThat(client.log).containsSubsequence("NONODE", "OK /a", "NODEEXISTS");
    }

    @Test
    void multi_partFails_changesNothingAndTellsWhich() {
        var world = new World(4, 1);
        Client client = world.client("c");
        client.make("/a", CreateMode.PERSISTENT);
        client.wire.multi(
                List.of(
                        new ZkOp.Create("/b", NONE),
                        new ZkOp.Write("/a", new byte[] {1}, 0),
                        new ZkOp.Delete("/b", -1),
                        new ZkOp.Check("/a", 0)),
                client::multi);
        client.wire.children("/", client::listed);
        client.wire.read("/a", (code, node) -> client.log.add("version " + node.version()));
        world.run(Duration.ofSeconds(1));
        assertThat(client.log).contains("BADVERSION at 3", "OK [a]", "version 0");
    }

    @Test
    void watch_nodeDeleted_toldOnceAndBeforeAReplyThatShowsIt() {
        for (long seed = 0; seed < 50; seed++) {
            var world = new World(seed, 3);
            Client watcher = world.client("watcher");
            Client other = world.client("other");
            other.make("/a", CreateMode.PERSISTENT);
            world.run(Duration.ofSeconds(1));
            watcher.wire.watch("/a", watcher::read);
            world.run(Duration.ofSeconds(1));
            other.wire.delete("/a", other::done);
            for (int i = 0; i < 50; i++) {
                watcher.wire.read("/a", watcher::read);
                world.run(Duration.ofMillis(1));
            }
            world.run(Duration.ofSeconds(1));
            assertThat(watcher.log.indexOf("DELETED /a")).isPositive().isLessThan(watcher.log.indexOf("NONODE"));
            assertThat(watcher.log).containsOnlyOnce("DELETED /a");
        }
    }

    @Test
    void watch_deletedWhileDisconnected_toldAfterReconnecting() {
        for (long seed = 0; seed < 50; seed++) {
            var world = new World(seed, 3);
            Client watcher = world.client("watcher");
            Client other = world.client("other");
            other.make("/a", CreateMode.PERSISTENT);
            world.run(Duration.ofSeconds(1));
            watcher.wire.watch("/a", watcher::read);
            world.run(Duration.ofSeconds(1));
            watcher.made.connection().tear();
            other.wire.delete("/a", other::done);
            world.run(Duration.ofSeconds(3));
            assertThat(watcher.log).containsOnlyOnce("DELETED /a");
            assertThat(watcher.connections).isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void follow_changeWhileDisconnected_notToldButLaterOnesAre() {
        var world = new World(5, 1);
        Client watcher = world.client("watcher");
        Client other = world.client("other");
        other.make("/t", CreateMode.PERSISTENT);
        watcher.wire.follow("/t", watcher::done);
        world.run(Duration.ofSeconds(1));
        watcher.process.freeze(Duration.ofMillis(300)); // its connection breaks and it cannot be back before the change
        watcher.made.connection().tear();
        other.make("/t/missed", CreateMode.PERSISTENT);
        world.run(Duration.ofSeconds(3));
        other.make("/t/seen", CreateMode.PERSISTENT);
        other.wire.delete("/t/seen", other::done);
        world.run(Duration.ofSeconds(1));
        assertThat(watcher.log).contains("CREATED /t/seen", "DELETED /t/seen").doesNotContain("CREATED /t/missed");
    }

    @Test
    void unwatch_nodeChanges_notTold() {
        var world = new World(6, 1);
        Client client = world.client("c");
        client.make("/a", CreateMode.PERSISTENT);
        client.wire.watch("/a", client::read);
        client.wire.unwatch("/a", client::done);
        client.wire.unwatch("/a", client::done);
        client.wire.delete("/a", client::done);
        world.run(Duration.ofSeconds(1));
        assertThat(client.log).contains("NOWATCHER").doesNotContain("DELETED /a");
    }

    @Test
    void session_idle_livesByPingsOfTheLibrary() {
        for (int servers : List.of(1, 3)) {
            var world = new World(7, servers);
            Client client = world.client("c");
            world.run(TIMEOUT.multipliedBy(20));
            assertThat(client.log).containsExactly("connected");
        }
    }

    @Test
    void session_processFrozen_expiresNotBeforeTheTimeoutAndAtMostATickAfter() {
        var waits = new ArrayList<Long>();
        for (long seed = 0; seed < 50; seed++) {
            var world = new World(seed, 1);
            Client frozen = world.client("frozen");
            frozen.make("/mine", CreateMode.EPHEMERAL);
            long lastTouchAtMost = world.sim.now();
            frozen.process.freeze(Duration.ofSeconds(30));
            while (world.zk.committed().find("/mine") != null) {
                world.run(Duration.ofMillis(1));
            }
            waits.add(world.sim.now() - lastTouchAtMost);
            world.run(Duration.ofSeconds(40));
            assertThat(frozen.log).endsWith("expired");
        }
        long timeout = TIMEOUT.toNanos();
        assertThat(waits).allMatch(wait -> wait > timeout - TICK.toNanos() && wait < timeout + 2 * TICK.toNanos());
    }

    @Test
    void tear_requestUnderWay_lostOrAppliedButAnsweredConnectionLossBeforeTheBreakIsTold() {
        Set<String> outcomes = new TreeSet<>();
        for (long seed = 0; seed < 100; seed++) {
            var world = new World(seed, 1);
            Client client = world.client("c");
            client.wire.create("/a", NONE, CreateMode.PERSISTENT, client::created);
            world.run(Duration.ofNanos(seed * 60_000));
            client.made.connection().tear();
            world.run(Duration.ofSeconds(3));
            String answer = client.log.get(1);
            assertThat(answer).isIn("OK /a", "CONNECTIONLOSS");
            assertThat(client.log.get(2)).isEqualTo("disconnected");
            outcomes.add(answer + (world.zk.committed().find("/a") == null ? ", lost" : ", applied"));
        }
        assertThat(outcomes).containsExactly("CONNECTIONLOSS, applied", "CONNECTIONLOSS, lost", "OK /a, applied");
    }

    @Test
    void silence_server_givenUpAfterTwoThirdsOfTheTimeout() {
        for (long seed = 0; seed < 20; seed++) {
            var world = new World(seed, 1);
            Client client = world.client("c");
            client.made.connection().fallSilent();
            world.run(Duration.ofMillis(2_000));
            assertThat(client.log).containsExactly("connected");
            world.run(Duration.ofMillis(2_200));
            assertThat(client.log).contains("disconnected");
        }
    }

    @Test
    void follower_cutOffFromItsLeader_stillAnswersReadsOfASessionThatTheLeaderHasEnded() {
        int stale = 0;
        for (long seed = 0; seed < 20; seed++) {
            var world = new World(seed, 3);
            Client client = world.client("c", TICK.multipliedBy(4));
            client.make("/mine", CreateMode.EPHEMERAL);
            SimZkServer server = client.made.connection().server();
            if (!server.leads()) {
                server.cutOff(world.zk.patience());
                while (world.zk.committed().find("/mine") != null) {
                    world.run(Duration.ofMillis(1));
                }
                client.wire.read("/mine", client::read);
                world.run(Duration.ofMillis(100));
                stale += client.log.get(client.log.size() - 1).equals("OK /mine") ? 1 : 0;
                world.run(Duration.ofSeconds(10));
                assertThat(client.log).endsWith("disconnected", "expired");
            }
        }
        assertThat(stale).isPositive();
    }

    @Test
    void close_connected_endsTheSessionAtOnce() {
        var world = new World(8, 3);
        Client client = world.client("c");
        client.make("/mine", CreateMode.EPHEMERAL);
        client.wire.close(ended -> client.log.add("closed"));
        world.run(Duration.ofMillis(500));
        assertThat(world.zk.committed().find("/mine")).isNull();
        assertThat(client.log).contains("closed").doesNotContain("expired");
    }

    @Test
    void container_emptied_isReapedButNotBeforeItHadAChild() {
        var world = new World(9, 1);
        Client client = world.client("c");
        client.make("/used", CreateMode.CONTAINER);
        client.make("/fresh", CreateMode.CONTAINER);
        client.make("/used/a", CreateMode.EPHEMERAL);
        world.run(Duration.ofSeconds(30));
        assertThat(world.zk.committed().find("/used")).isNotNull();
        client.wire.delete("/used/a", client::done);
        world.run(Duration.ofSeconds(30));
        assertThat(world.zk.committed().find("/used")).isNull();
        assertThat(world.zk.committed().find("/fresh")).isNotNull();
    }

    /** A simulated ensemble and its network. */
    private static final class World {
        final Simulation sim;
        final SimZooKeeper zk;

        World(long seed, int servers) {
            sim = new Simulation(seed);
            zk = new SimZooKeeper(sim, servers, TICK, 6);
        }

        Client client(String name) {
            return client(name, TIMEOUT);
        }

        Client client(String name, Duration timeout) {
            var client = new Client(this, name, timeout);
            run(Duration.ofMillis(200));
            assertThat(client.log).containsExactly("connected");
            return client;
        }

        void run(Duration time) {
            sim.runFor(time);
        }
    }

    /** One process with one handle, and what it was told, in order. */
    private static final class Client implements ZkWire.Events {
        final World world;
        final SimProcess process;
        final SimLoop loop;
        final List<String> log = new ArrayList<>();
        final ZkWire wire;
        SimZkWire made;
        int connections;

        Client(World world, String name, Duration timeout) {
            this.world = world;
            process = new SimProcess(world.sim, name, 2_000);
            loop = process.thread("loop");
            wire = SimZkWire.from(process, world.zk, loop, it -> made = it).open(timeout, this);
        }

        void make(String path, CreateMode mode) {
            wire.create(path, NONE, mode, this::created);
            world.run(Duration.ofMillis(300));
        }

        void created(Code code, Node node) {
            log.add(node == null ? code.name() : code + " " + node.path());
        }

        void read(Code code, Node node) {
            created(code, node);
        }

        void listed(Code code, List<String> names) {
            log.add(names == null ? code.name() : code + " " + new TreeSet<>(names));
        }

        void multi(Code code, int failedAt) {
            log.add(code + " at " + failedAt);
        }

        void done(Code code, Void nothing) {
            log.add(code.name());
        }

        @Override
        public void connected(long sessionId, Duration negotiated) {
            connections++;
            log.add("connected");
        }

        @Override
        public void disconnected() {
            log.add("disconnected");
        }

        @Override
        public void expired() {
            log.add("expired");
        }

        @Override
        public void over(CoordinationException why) {
            log.add("over");
        }

        @Override
        public void changed(String path, Change change) {
            log.add(change + " " + path);
        }
    }
}
