package io.baton.zookeeper;

import io.baton.spi.Loop;
import io.baton.tck.sim.lock.Contact;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.zookeeper.SimRequest.Answer;
import io.baton.zookeeper.wire.ZkWire;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The wire on a model of the ZooKeeper client library (3.9's {@code ClientCnxn}): one library thread, a queue of what
 * is to be sent and one of what waits for its answer; pings when idle; gives a silent server up after two thirds of
 * the timeout; gives the session up by itself after four thirds.
 */
final class SimZkWire implements ZkWire, SimZkConnection.Client, Contact {

    private static final long MILLI = 1_000_000;

    private final SimZooKeeper ensemble;
    private final SimProcess process;
    private final Loop loop;
    private final Events events;
    private final SimLoop library;
    private final SplittableRandom chance;
    private final ArrayDeque<Packet> outgoing = new ArrayDeque<>();
    private final ArrayDeque<Packet> pending = new ArrayDeque<>();
    private final TreeSet<String> watched = new TreeSet<>();
    private final TreeSet<String> followed = new TreeSet<>();
    private State state = State.CONNECTING;
    private boolean everConnected;
    private @Nullable Consumer<Boolean> closing;
    private boolean endConfirmed;
    private @Nullable SimZkConnection connection;
    private Loop.@Nullable Timer check;
    private Duration timeout;
    private long sessionId;
    private long attempts;
    private long seenZxid;
    private long lastHeard;
    private long lastSent;

    private SimZkWire(SimZooKeeper ensemble, SimProcess process, Loop loop, Duration timeout, Events events) {
        this.ensemble = ensemble;
        this.process = process;
        this.loop = loop;
        this.events = events;
        this.timeout = timeout;
        this.library = process.thread("zk");
        this.chance = ensemble.sim.chance();
        this.lastHeard = library.nanoTime();
        library.execute(this::attempt);
    }

    /** A factory of wires from this process; {@code made} is shown each. */
    static Factory from(SimProcess process, SimZooKeeper ensemble, Loop loop, Consumer<SimZkWire> made) {
        return (timeout, events) -> {
            var wire = new SimZkWire(ensemble, process, loop, timeout, events);
            made.accept(wire);
            return wire;
        };
    }

    /** The present connection, for a network to spoil. */
    @Nullable
    SimZkConnection connection() {
        return connection;
    }

    @Override
    public SimProcess process() {
        return process;
    }

    @Override
    public boolean isOf(long session) {
        return sessionId == session;
    }

    @Override
    public boolean inContact() {
        return state == State.CONNECTED;
    }

    @Override
    public boolean undisturbed() {
        SimZkConnection present = connection;
        return present != null && present.flows() && ensemble.serves(present.server());
    }

    /** How often it had to connect, and how often a leader was elected. */
    @Override
    public long disturbances() {
        return attempts + ensemble.reign().epoch();
    }

    @Override
    public boolean closed() {
        return state == State.CLOSED || closing != null;
    }

    @Override
    public void create(String path, byte[] data, CreateMode mode, Reply<Node> reply) {
        ask("create " + path, new SimRequest.Create(path, data, mode), answer -> give(answer, reply));
    }

    @Override
    public void children(String path, Reply<List<String>> reply) {
        ask("children " + path, new SimRequest.Children(path), answer -> give(answer, reply));
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        ask("read " + path, new SimRequest.Read(path, false), answer -> give(answer, reply));
    }

    @Override
    public void watch(String path, Reply<Node> reply) {
        ask("watch " + path, new SimRequest.Read(path, true), answer -> {
            if (answer.code() == Code.OK) {
                watched.add(path);
            }
            give(answer, reply);
        });
    }

    @Override
    public void follow(String path, Reply<Void> reply) {
        ask("follow " + path, new SimRequest.Follow(path), answer -> {
            if (answer.code() == Code.OK) {
                followed.add(path);
            }
            give(answer, reply);
        });
    }

    @Override
    public void unwatch(String path, Reply<Void> reply) {
        ask("unwatch " + path, new SimRequest.Unwatch(path), answer -> {
            if (!watched.contains(path) && !followed.contains(path)) {
                give(Answer.of(Code.NOWATCHER), reply); // the library looks at its own list first
            } else {
                if (answer.code() == Code.OK) {
                    watched.remove(path);
                    followed.remove(path);
                }
                give(answer, reply);
            }
        });
    }

    @Override
    public void delete(String path, Reply<Void> reply) {
        ask("delete " + path, new SimRequest.Multi(List.of(new ZkOp.Delete(path, -1))), answer -> give(answer, reply));
    }

    @Override
    public void multi(List<ZkOp> ops, MultiReply reply) {
        boolean overwrites = ops.stream().anyMatch(ZkOp.Write.class::isInstance);
        ask("multi of " + ops.size(), new SimRequest.Multi(List.copyOf(ops)), answer -> {
            long zxid = overwrites && answer.code() == Code.OK ? answer.zxid() : 0;
            loop.execute(() -> reply.accept(answer.code(), answer.failedAt(), zxid));
        });
    }

    @Override
    public void foreignAcl(String path, Reply<String> difference) {}

    @Override
    public void leave(List<String> beginnings, Consumer<Boolean> done) {
        close(done);
    }

    @Override
    public void close(Consumer<Boolean> done) {
        library.execute(() -> {
            note("close");
            closing = ended -> loop.execute(() -> done.accept(ended));
            if (state == State.CONNECTED) {
                send(new Packet("closeSession", new SimRequest.CloseSession(), answer -> {
                    endConfirmed |= answer.code() == Code.OK;
                    end();
                }));
            } else {
                end();
            }
        });
    }

    // The library thread: requests

    private void ask(String what, SimRequest request, Consumer<Answer> done) {
        library.execute(() -> {
            var packet = new Packet(what, request, done);
            if (state == State.CLOSED || closing != null) {
                packet.lose(state == State.CLOSED ? Code.SESSIONEXPIRED : Code.CONNECTIONLOSS);
            } else if (state == State.CONNECTED) {
                send(packet);
            } else {
                outgoing.add(packet);
            }
        });
    }

    private void send(Packet packet) {
        pending.add(packet);
        lastSent = library.nanoTime();
        connection.request(packet.request);
    }

    @SuppressWarnings("unchecked") // each request is answered by what its method promises
    private <T> void give(Answer answer, Reply<T> reply) {
        T value = answer.code() == Code.OK ? (T) answer.value() : null;
        loop.execute(() -> reply.accept(answer.code(), value));
    }

    // The library thread: what arrives

    @Override
    public void accepted(SimZkConnection from, long session, Duration negotiated) {
        arrived(from, () -> {
            if (negotiated.isZero()) {
                note("session expired, says the server");
                die();
                loop.execute(events::expired);
                loseAll(Code.SESSIONEXPIRED);
            } else {
                connected(session, negotiated);
            }
        });
    }

    @Override
    public void answered(SimZkConnection from, Answer answer) {
        arrived(from, () -> {
            Packet packet = pending.remove();
            seenZxid = Math.max(seenZxid, answer.zxid());
            if (!(packet.request instanceof SimRequest.Ping)) {
                note(packet.what + " -> " + answer.code());
            }
            packet.done.accept(answer);
        });
    }

    @Override
    public void changed(SimZkConnection from, String path, Change change) {
        arrived(from, () -> {
            boolean once = change != Change.CREATED && watched.remove(path);
            if (once || SimTree.isBelow(path, followed)) {
                note(change + " " + path);
                if (!once && change == Change.DELETED) {
                    ensemble.counts.add("removals told by following");
                }
                loop.execute(() -> events.changed(path, change));
            }
        });
    }

    @Override
    public void closed(SimZkConnection from, String why) {
        library.execute(() -> {
            if (from == connection) {
                disconnected(why);
            }
        });
    }

    private void arrived(SimZkConnection from, Runnable handle) {
        library.execute(() -> {
            if (from == connection) {
                lastHeard = library.nanoTime();
                handle.run();
            }
        });
    }

    // The library thread: connecting

    private void attempt() {
        if (state != State.CONNECTING || closing != null || givesUp()) {
            return;
        }
        lastSent = library.nanoTime();
        attempts++;
        var servers = ensemble.servers();
        var attempted = new SimZkConnection(ensemble, servers.get(chance.nextInt(servers.size())), this);
        connection = attempted;
        attempted.connect(sessionId, timeout, seenZxid);
        library.after(timeout.dividedBy(servers.size()), () -> {
            if (connection == attempted && state == State.CONNECTING) {
                disconnected("no answer to the attempt to connect");
            }
        });
    }

    private void connected(long session, Duration negotiated) {
        note("connected to server " + connection.server().number() + " as " + Long.toHexString(session));
        state = State.CONNECTED;
        everConnected = true;
        sessionId = session;
        timeout = negotiated;
        loop.execute(() -> events.connected(session, negotiated));
        if (!watched.isEmpty() || !followed.isEmpty()) {
            var watches = new SimRequest.SetWatches(new ArrayList<>(watched), new ArrayList<>(followed), seenZxid);
            send(new Packet("setWatches", watches, answer -> {}));
        }
        while (!outgoing.isEmpty()) {
            send(outgoing.remove());
        }
        checkAfter(Math.min(readTimeout(), pingAfter()));
    }

    private void disconnected(String why) {
        note("disconnected: " + why);
        boolean wasConnected = state == State.CONNECTED;
        letGo();
        state = State.CONNECTING;
        loseAll(Code.CONNECTIONLOSS);
        if (wasConnected) {
            loop.execute(events::disconnected);
        }
        if (closing != null) {
            end();
        } else {
            long most = chance.nextInt(3) == 0 ? 1_000 : 50;
            library.after(Duration.ofNanos(chance.nextLong(MILLI, most * MILLI)), this::attempt);
        }
    }

    /** Whether the session has been out of contact for so long that the library ends it without asking anybody. */
    private boolean givesUp() {
        boolean over = everConnected && library.nanoTime() - lastHeard >= nanos(timeout) * 4 / 3;
        if (over) {
            note("session given up by the library");
            ensemble.counts.add("given up by the library");
            die();
            loseAll(Code.SESSIONEXPIRED);
            loop.execute(events::expired);
        }
        return over;
    }

    // The library thread: being alive

    private void checkAfter(long nanos) {
        // What has arrived is looked at before the clock is.
        SimZkConnection checked = connection;
        check = library.after(
                Duration.ofNanos(nanos),
                () -> library.execute(() -> {
                    if (connection == checked) {
                        check();
                    }
                }));
    }

    private void check() {
        if (state != State.CONNECTED || givesUp()) {
            return;
        }
        long idle = library.nanoTime() - lastHeard;
        if (idle >= readTimeout()) {
            disconnected("nothing heard from the server");
            return;
        }
        long unsent = library.nanoTime() - lastSent;
        if (unsent >= pingAfter() && closing == null) {
            send(new Packet("ping", new SimRequest.Ping(), answer -> {}));
            unsent = 0;
        }
        checkAfter(Math.max(MILLI, Math.min(readTimeout() - idle, pingAfter() - unsent)));
    }

    private long readTimeout() {
        return nanos(timeout) * 2 / 3;
    }

    /** Half the read timeout; the library takes a second off that if it leaves more than one. */
    private long pingAfter() {
        long half = readTimeout() / 2;
        return half <= 1_000 * MILLI ? half : Math.min(10_000 * MILLI, Math.max(1_000 * MILLI, half - 1_000 * MILLI));
    }

    // The library thread: ending

    private void end() {
        Consumer<Boolean> told = closing;
        die();
        loseAll(Code.CONNECTIONLOSS);
        told.accept(endConfirmed);
    }

    private void die() {
        state = State.CLOSED;
        letGo();
    }

    private void letGo() {
        if (connection != null) {
            connection.closeByClient();
            connection = null;
        }
        if (check != null) {
            check.cancel();
        }
    }

    private void loseAll(Code code) {
        var lost = new ArrayList<>(pending);
        lost.addAll(outgoing);
        pending.clear();
        outgoing.clear();
        lost.forEach(packet -> packet.lose(code));
    }

    private void note(String what) {
        library.note(what);
    }

    private static long nanos(Duration duration) {
        return duration.toNanos();
    }

    private enum State {
        CONNECTING,
        CONNECTED,
        CLOSED
    }

    private record Packet(String what, SimRequest request, Consumer<Answer> done) {
        void lose(Code code) {
            done.accept(Answer.of(code));
        }
    }
}
