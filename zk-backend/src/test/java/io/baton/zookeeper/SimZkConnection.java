package io.baton.zookeeper;

import io.baton.testkit.sim.SimPipe;
import io.baton.testkit.sim.SimProcess;
import io.baton.zookeeper.SimRequest.Answer;
import io.baton.zookeeper.wire.ZkWire.Change;
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
        stall(ensemble.unreachableUntil(client.process(), server));
        toServer.hold(server.frozenUntil());
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
        toServer.send(() -> arrive(knownSession, asked, seenZxid));
    }

    private void arrive(long knownSession, Duration asked, long seenZxid) {
        if (!server.frozen()) {
            server.connect(this, knownSession, asked, seenZxid);
        } else if (!cut) {
            ensemble.sim.inBackgroundAt(server.frozenUntil(), () -> arrive(knownSession, asked, seenZxid));
        }
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
                if (!server.request(this, request, pending)) {
                    queue.remove(pending);
                }
                advance();
            } else if (!(request instanceof SimRequest.Ping)) {
                ensemble.counts.add("lost requests");
            }
        });
        if (!sent && !(request instanceof SimRequest.Ping)) {
            ensemble.counts.add("lost requests");
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

    /** The client's. */
    SimProcess process() {
        return client.process();
    }

    long session() {
        return session;
    }

    /** Whether it is whole, and messages pass in both directions. */
    boolean flows() {
        return !cut && !closedByServer && toServer.flows() && toClient.flows();
    }

    boolean asksToClose() {
        return !queue.isEmpty() && queue.peek().request instanceof SimRequest.CloseSession;
    }

    void accept(long newSession, Duration timeout) {
        session = newSession;
        send(() -> client.accepted(this, newSession, timeout));
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
            Answer answer = head.answer == null && head.request instanceof SimRequest.Local local
                    ? server.answer(this, local)
                    : head.answer;
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
                ensemble.counts.add("lost replies");
            }
            if (head.request instanceof SimRequest.CloseSession) {
                server.drop(this, "its session was closed");
            }
        }
    }

    /** The server's process is gone; silently if its machine is, too: then the client's end stays half open. */
    void serverDied(boolean silently) {
        closedByServer = true;
        queue.clear();
        toServer.cutAfter(0);
        int arrive = ensemble.some(toClient.underWay());
        loseDown(arrive);
        if (silently) {
            ensemble.counts.add("half-open connections");
            toClient.cutAfter(arrive);
        } else {
            toClient.cutAfter(arrive, () -> client.closed(this, "the server was killed"));
        }
    }

    /** The server stands still until this virtual time. */
    void serverFrozen(long untilNanos) {
        toServer.hold(untilNanos);
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
        if (once || SimTree.isBelow(path, followed)) {
            tell(path, change);
        }
    }

    /** It happens to what this client may not read. */
    void useUp(String path) {
        if (watched.remove(path)) {
            ensemble.counts.add("events not told for want of a right");
        }
    }

    /** The server loses one of this client's watches; false if there is none. */
    boolean forgetAWatch() {
        Set<String> from = followed.isEmpty() || !watched.isEmpty() && chance.nextBoolean() ? watched : followed;
        if (from.isEmpty()) {
            return false;
        }
        String which = from.stream()
                .sorted()
                .skip(chance.nextInt(from.size()))
                .findFirst()
                .orElseThrow();
        ensemble.sim.note(
                "server " + server.number(), "forgets " + client.process().name() + "'s watch on " + which);
        ensemble.counts.add("watches that a server forgot");
        return from.remove(which);
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
            ensemble.counts.add("disconnects");
            cutUp();
            int arrive = chance.nextInt(toClient.underWay() + 1);
            loseDown(arrive);
            toClient.cutAfter(arrive, () -> client.closed(this, "the connection broke"));
        }
    }

    /** From now on nothing arrives in one or both directions, and nobody is told. */
    void fallSilent() {
        if (!cut) {
            ensemble.counts.add("silences");
            int which = chance.nextInt(3);
            if (which != 0) {
                ensemble.counts.add("lost requests", toServer.underWay());
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
        ensemble.counts.add("delays");
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

    /** Nothing arrives in either direction before this virtual time. */
    void stall(long untilNanos) {
        toServer.hold(untilNanos);
        toClient.hold(untilNanos);
    }

    private void cutUp() {
        int arrive = chance.nextBoolean() ? toServer.underWay() : chance.nextInt(toServer.underWay() + 1);
        ensemble.counts.add("lost requests", toServer.underWay() - arrive);
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
        ensemble.counts.add("lost replies", toClient.underWay() - butFirst);
    }

    private boolean send(Runnable toTheClient) {
        return toClient.send(toTheClient);
    }

    private long latency() {
        return chance.nextInt(40) == 0 ? chance.nextLong(60 * MILLI) : chance.nextLong(MILLI / 20, MILLI);
    }
}
