package io.baton.zookeeper;

import io.baton.testkit.sim.SimPipe;
import io.baton.testkit.sim.SimProcess;
import io.baton.zookeeper.SimRequest.Answer;
import io.baton.zookeeper.ZkWire.Change;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * One connection between a client and a server: an ordered stream each way, the server's queue of requests, which it
 * answers in order, and the watches that the server keeps for it. And what a network can do to it.
 */
final class SimZkConnection {

    private static final long MILLI = 1_000_000;

    private final SimZooKeeper ensemble;
    private final SimZkServer server;
    private final Client client;
    private final SplittableRandom chance;
    private final SimPipe toServer;
    private final SimPipe toClient;
    private final ArrayDeque<Pending> queue = new ArrayDeque<>();
    private final Set<String> watched = new HashSet<>();
    private final Set<String> followed = new HashSet<>();
    private long session;
    private boolean closedByServer;
    private boolean cut;
    private @Nullable Runnable ambush;

    SimZkConnection(SimZooKeeper ensemble, SimZkServer server, Client client) {
        this.ensemble = ensemble;
        this.server = server;
        this.client = client;
        this.chance = ensemble.sim.chance();
        this.toServer = new SimPipe(ensemble.sim, this::latency);
        this.toClient = new SimPipe(ensemble.sim, this::latency);
        stall(ensemble.unreachableUntil(client.process()));
    }

    /** The client library's end; called when something arrives at its machine. */
    interface Client {
        SimProcess process();

        void accepted(SimZkConnection from, long session, Duration timeout);

        void answered(SimZkConnection from, Answer answer);

        void changed(SimZkConnection from, String path, Change change);

        void closed(SimZkConnection from, String why);
    }

    /** A request that the server has, in its place in the order. */
    static final class Pending {
        final SimRequest request;

        @Nullable
        Answer answer;

        Pending(SimRequest request) {
            this.request = request;
        }
    }

    // What the client does

    void connect(long knownSession, Duration asked, long seenZxid) {
        session = knownSession;
        toServer.send(() -> server.connect(this, knownSession, asked, seenZxid));
    }

    void request(SimRequest request) {
        if (ambush != null && request instanceof SimRequest.Global) {
            ensemble.sim.at(ensemble.sim.now() + chance.nextLong(5 * MILLI), ambush);
            ambush = null;
        }
        boolean sent = toServer.send(() -> {
            if (!closedByServer) {
                Pending pending = new Pending(request);
                queue.add(pending);
                server.request(this, request, pending);
            } else if (!(request instanceof SimRequest.Ping)) {
                ensemble.counts.lostRequests++;
            }
        });
        if (!sent && !(request instanceof SimRequest.Ping)) {
            ensemble.counts.lostRequests++;
        }
    }

    /** The client closes its end; what it has sent may still arrive, or not. */
    void closeByClient() {
        if (!cut) {
            cutUp();
            loseDown(0);
            toClient.cutAfter(0);
            cut = true;
        }
    }

    // What the server does

    SimZkServer server() {
        return server;
    }

    long session() {
        return session;
    }

    boolean asksToClose() {
        return !queue.isEmpty() && queue.peek().request instanceof SimRequest.CloseSession;
    }

    void accept(long newSession, Duration timeout) {
        session = newSession;
        send(() -> client.accepted(this, newSession, timeout));
    }

    void refuse() {
        ensemble.counts.refusedConnects++;
        closedByServer("the server refuses: it has seen less than the client");
    }

    void closedByServer(String why) {
        closedByServer = true;
        queue.clear();
        send(() -> client.closed(this, why));
    }

    /** Answers all requests, from the oldest on, whose answer is known. */
    void advance() {
        while (!closedByServer && !queue.isEmpty()) {
            Pending head = queue.peek();
            Answer answer = head.request instanceof SimRequest.Local local ? server.answer(this, local) : head.answer;
            if (answer == null) {
                return;
            }
            queue.remove();
            if (answer.code() == Code.SESSIONMOVED) {
                // Two servers disagree on whom the client is with: it has to connect anew.
                server.drop(this, "its session has moved");
                return;
            }
            boolean sent = send(() -> client.answered(this, answer));
            if (!sent && !(head.request instanceof SimRequest.Ping)) {
                ensemble.counts.lostReplies++;
            }
            if (head.request instanceof SimRequest.CloseSession) {
                server.drop(this, "its session was closed");
            }
        }
    }

    void watchOnce(String path) {
        watched.add(path);
    }

    void follow(String path) {
        followed.add(path);
    }

    boolean follows(String path) {
        return followed.contains(path);
    }

    boolean unwatch(String path) {
        boolean once = watched.remove(path);
        return followed.remove(path) || once;
    }

    void tellIfWatched(String path, Change change) {
        boolean once = watched.remove(path);
        if (once || SimTree.withAncestors(path).stream().anyMatch(followed::contains)) {
            tell(path, change);
        }
    }

    void tell(String path, Change change) {
        send(() -> client.changed(this, path, change));
    }

    // What a network does

    /** The fault comes while the next write is under way. */
    void onNextWrite(Consumer<SimZkConnection> fault) {
        ambush = () -> fault.accept(this);
    }

    /** Breaks: some of what is under way is lost in either direction; the client notices, the server perhaps. */
    void tear() {
        if (!cut) {
            cut = true;
            ensemble.counts.disconnects++;
            cutUp();
            int arrive = chance.nextInt(toClient.underWay() + 1);
            loseDown(arrive);
            toClient.cutAfter(arrive, () -> client.closed(this, "the connection broke"));
        }
    }

    /** From now on nothing arrives in one or both directions, and nobody is told. */
    void fallSilent() {
        if (!cut) {
            ensemble.counts.silences++;
            int which = chance.nextInt(3);
            if (which != 0) {
                ensemble.counts.lostRequests += toServer.underWay();
                toServer.cutAfter(0);
            }
            if (which != 1) {
                loseDown(0);
                toClient.cutAfter(0);
            }
        }
    }

    /** What is sent in one or both directions arrives late. */
    void delay(Duration time) {
        ensemble.counts.delays++;
        int which = chance.nextInt(3);
        long until = ensemble.sim.now() + time.toNanos();
        if (which != 0) {
            toServer.hold(until);
        }
        if (which != 1) {
            toClient.hold(until);
        }
    }

    /** What the server sends arrives late. */
    void holdAnswers(Duration time) {
        toClient.hold(ensemble.sim.now() + time.toNanos());
    }

    /** Whose it is. */
    SimProcess process() {
        return client.process();
    }

    /** Nothing arrives in either direction before this virtual time. */
    void stall(long untilNanos) {
        toServer.hold(untilNanos);
        toClient.hold(untilNanos);
    }

    private void cutUp() {
        int arrive = chance.nextBoolean() ? toServer.underWay() : chance.nextInt(toServer.underWay() + 1);
        ensemble.counts.lostRequests += toServer.underWay() - arrive;
        if (chance.nextInt(4) == 0) {
            toServer.cutAfter(arrive);
        } else {
            toServer.cutAfter(arrive, () -> {
                closedByServer = true;
                server.gone(this);
            });
        }
    }

    private void loseDown(int butFirst) {
        ensemble.counts.lostReplies += toClient.underWay() - butFirst;
    }

    private boolean send(Runnable toTheClient) {
        return toClient.send(toTheClient);
    }

    private long latency() {
        return chance.nextInt(40) == 0 ? chance.nextLong(60 * MILLI) : chance.nextLong(MILLI / 20, MILLI);
    }
}
