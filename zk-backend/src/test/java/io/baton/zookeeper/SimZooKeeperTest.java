package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.zookeeper.wire.ZkWire;
import io.baton.zookeeper.wire.ZkWire.Change;
import io.baton.zookeeper.wire.ZkWire.Node;
import io.baton.zookeeper.wire.ZkWire.ZkOp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
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

    @Test
    void leader_killed_anotherLeadsInANewEpochAndCountsAnewAndSessionsGoOn() {
        for (long seed = 0; seed < 20; seed++) {
            var world = new World(seed, 3);
            Client client = world.client("c", Duration.ofSeconds(10));
            client.make("/before", CreateMode.PERSISTENT);
            client.make("/mine", CreateMode.EPHEMERAL);
            SimZkServer former = world.zk.leader();
            former.crash(Duration.ofSeconds(30), false);
            world.run(Duration.ofSeconds(20));
            client.make("/after", CreateMode.PERSISTENT);
            assertThat(world.zk.leader()).isNotSameAs(former);
            assertThat(client.log).endsWith("connected", "OK /after");
            long before = world.czxid("/before");
            long after = world.czxid("/after");
            assertThat(SimZkTxn.epochOf(after)).isGreaterThan(SimZkTxn.epochOf(before));
            assertThat((int) after).isLessThan((int) before);
            assertThat(world.czxid("/mine")).isPositive();
            assertThat(client.log).doesNotContain("expired");
            world.run(Duration.ofSeconds(30));
            assertThat(former.serves()).isTrue();
            assertThat(former.tree().find("/after")).isNotNull();
        }
    }

    @Test
    void session_leaderChanges_hasItsWholeTimeoutAnew() {
        for (long seed = 0; seed < 50; seed++) {
            var world = new World(seed, 3);
            Client client = world.client("c");
            client.make("/mine", CreateMode.EPHEMERAL);
            client.process.freeze(Duration.ofSeconds(60));
            world.run(Duration.ofMillis(2_500));
            world.zk.leader().crash(Duration.ofSeconds(60), false);
            SimZkReign former = world.zk.reign();
            while (world.zk.reign() == former || !world.zk.reign().active()) {
                world.run(Duration.ofMillis(1));
            }
            long serving = world.sim.now();
            while (world.zk.committed().find("/mine") != null) {
                world.run(Duration.ofMillis(1));
            }
            long lasted = world.sim.now() - serving;
            // A tick, as sessions end at ticks, and half a one that the tracker may take to end it.
            Duration atMost = TIMEOUT.plus(TICK).plus(TICK.dividedBy(2));
            assertThat(lasted).isBetween(TIMEOUT.toNanos() - 2_000_000, atMost.toNanos() + 60_000_000);
        }
    }

    @Test
    void leader_cutOffFromTheOthers_servesForTheSyncLimitAndATickAndThenClosesItsClients() {
        int deposed = 0;
        for (long seed = 0; seed < 60; seed++) {
            var world = new World(seed, 3);
            SimZkServer leader = world.zk.leader();
            Client other = world.client("other");
            Client client = world.clientAt(leader, Duration.ofSeconds(10));
            if (other.made.connection().server() == leader) {
                continue;
            }
            leader.cutOff(Duration.ofSeconds(60));
            long since = world.sim.now();
            while (leader.serves()) {
                world.run(Duration.ofMillis(20));
                other.wire.create("/news", NONE, CreateMode.PERSISTENT, other::created);
                client.wire.read("/news", client::read);
                deposed += world.zk.reign().active() && world.zk.leader() != leader ? 1 : 0;
            }
            Duration most = world.zk.patience().plus(TICK.multipliedBy(2));
            assertThat(world.sim.now() - since).isLessThan(most.toNanos());
            world.run(Duration.ofMillis(100));
            List<String> before = client.log.subList(0, client.log.indexOf("disconnected"));
            assertThat(before).contains("NONODE").doesNotContain("OK /news");
        }
        assertThat(deposed).isPositive();
    }

    @Test
    void leader_frozenWhileAnotherIsElected_answersReadsFromWhatItHasAndCommitsNothing() {
        int stale = 0;
        for (long seed = 0; seed < 40; seed++) {
            var world = new World(seed, 3);
            SimZkServer leader = world.zk.leader();
            Client other = world.client("other", Duration.ofSeconds(10));
            Client client = world.clientAt(leader, Duration.ofSeconds(10));
            world.zk.confine(client.process, leader, Duration.ofSeconds(60));
            leader.freeze(world.zk.patience().plusSeconds(3));
            world.run(world.zk.patience().plusMillis(1_000));
            other.make("/news", CreateMode.PERSISTENT);
            client.wire.read("/news", client::read);
            client.wire.create("/lost", NONE, CreateMode.PERSISTENT, client::created);
            world.run(Duration.ofSeconds(5));
            assertThat(client.log).doesNotContain("OK /lost").contains("disconnected");
            boolean told = world.zk.committed().find("/news") != null && client.log.contains("NONODE");
            stale += told ? 1 : 0;
            assertThat(world.zk.committed().find("/lost")).isNull();
        }
        assertThat(stale).isPositive();
    }

    @Test
    void write_leaderFailsBeforeItIsAnswered_survivesOrNotButIsNotLostOnceAnswered() {
        Set<String> outcomes = new TreeSet<>();
        for (long seed = 0; seed < 300; seed++) {
            var world = new World(seed, 3);
            Client client = world.client("c");
            client.wire.create("/a", NONE, CreateMode.PERSISTENT, client::created);
            world.run(Duration.ofNanos(seed * 15_000));
            SimZkServer leader = world.zk.leader();
            if (seed % 3 == 0) {
                leader.cutOff(Duration.ofSeconds(20)); // it keeps what it proposed, and may lead again, or not
                world.zk.slowDown(Duration.ofMillis(seed % 40));
            } else {
                leader.crash(Duration.ofSeconds(seed % 2 == 0 ? 1 : 20), false);
            }
            world.run(Duration.ofSeconds(30));
            boolean there = world.zk.committed().find("/a") != null;
            outcomes.add(client.log.get(1) + (there ? ", there" : ", lost"));
        }
        assertThat(outcomes).containsExactly("CONNECTIONLOSS, lost", "CONNECTIONLOSS, there", "OK /a, there");
    }

    @Test
    void proposal_loggedByItsLeaderAlone_isThrownAwayOrKeptByTheNextLeader() {
        long thrownAway = 0;
        long kept = 0;
        for (long seed = 0; seed < 40; seed++) {
            var world = new World(seed, 3);
            SimZkServer leader = world.zk.leader();
            Client client = world.clientAt(leader, Duration.ofSeconds(10));
            boolean all = seed % 2 == 0;
            world.zk.servers().stream()
                    .filter(server -> all || server == leader)
                    .forEach(server -> server.cutOff(Duration.ofSeconds(8)));
            client.wire.create("/a", NONE, CreateMode.PERSISTENT, client::created);
            world.run(Duration.ofSeconds(20));
            var counts = new HashMap<String, Long>();
            world.zk.addTo(counts);
            thrownAway += counts.getOrDefault("proposals thrown away", 0L);
            kept += counts.getOrDefault("proposals kept by the next leader", 0L);
            assertThat(client.log).contains("CONNECTIONLOSS");
        }
        assertThat(thrownAway).isPositive();
        assertThat(kept).isPositive();
    }

    @Test
    void follower_silentLeader_leavesAndServesNobodyUntilThereIsAnother() {
        var world = new World(11, 3);
        List<SimZkServer> followers = world.zk.servers().stream()
                .filter(server -> server != world.zk.leader())
                .toList();
        world.zk.servers().forEach(server -> server.cutOff(Duration.ofSeconds(10)));
        world.run(world.zk.patience().plusMillis(600));
        assertThat(followers).noneMatch(SimZkServer::serves);
        world.run(Duration.ofSeconds(10));
        assertThat(world.zk.servers()).allMatch(SimZkServer::serves);
    }

    @Test
    void server_aloneAndRestarted_goesOnInItsEpochWithItsSessions() {
        var world = new World(12, 1);
        Client client = world.client("c");
        client.make("/mine", CreateMode.EPHEMERAL);
        world.zk.leader().crash(Duration.ofSeconds(1), false);
        world.run(Duration.ofSeconds(3));
        client.make("/after", CreateMode.PERSISTENT);
        assertThat(world.czxid("/after")).isEqualTo(world.czxid("/mine") + 1);
        assertThat(client.log).endsWith("disconnected", "connected", "OK /after");
    }

    @Test
    void server_goneWithItsMachine_isGivenUpAfterTwoThirdsOfTheTimeout() {
        var world = new World(13, 3);
        Client client = world.client("c");
        client.made.connection().server().crash(Duration.ofSeconds(60), true);
        world.run(Duration.ofMillis(1_500));
        assertThat(client.log).containsExactly("connected");
        world.run(Duration.ofMillis(5_000));
        assertThat(client.log).contains("disconnected").endsWith("connected");
    }

    @Test
    void client_hasSeenTheNewEpoch_isRefusedByAFollowerThatHasNotYet() {
        var world = new World(14, 3);
        Client client = world.client("c");
        world.zk.leader().crash(Duration.ofSeconds(60), false);
        world.run(Duration.ofSeconds(6));
        SimZkServer leader = world.zk.leader();
        SimZkServer follower = world.zk.servers().stream()
                .filter(server -> server != leader && server.serves())
                .findFirst()
                .orElseThrow();
        assertThat(follower.zxid()).isLessThan(leader.zxid());
        client.make("/news", CreateMode.PERSISTENT);
        assertThat(follower.zxid()).isEqualTo(leader.zxid());
    }

    @Test
    void watch_forgottenByTheServer_isNotTold() {
        var world = new World(15, 1);
        Client client = world.client("c");
        client.make("/a", CreateMode.PERSISTENT);
        client.wire.watch("/a", client::read);
        world.run(Duration.ofMillis(100));
        assertThat(client.made.connection().forgetAWatch()).isTrue();
        client.wire.delete("/a", client::done);
        world.run(Duration.ofSeconds(1));
        assertThat(client.log).endsWith("OK").doesNotContain("DELETED /a");
    }

    @Test
    void clocks_ofServers_runAtTheirOwnRatesWithinTheBound() {
        var sim = new Simulation(16);
        var zk = new SimZooKeeper(sim, 3, TICK, 6, 4_500);
        sim.runFor(Duration.ofSeconds(1_000));
        List<Long> off =
                zk.servers().stream().map(server -> server.clock() - sim.now()).toList();
        assertThat(Set.copyOf(off)).hasSize(3);
        assertThat(off).allMatch(nanos -> Math.abs(nanos) <= sim.now() / 1_000_000 * 4_500 + 4_500);
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

        /** One that is connected to this server. */
        Client clientAt(SimZkServer server, Duration timeout) {
            for (int i = 0; i < 100; i++) {
                Client client = client("at" + i, timeout);
                if (client.made.connection().server() == server) {
                    return client;
                }
                client.process.kill();
            }
            throw new AssertionError("none came to server " + server.number());
        }

        long czxid(String path) {
            return zk.committed().find(path).czxid();
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

        void multi(Code code, int failedAt, long zxid) {
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
