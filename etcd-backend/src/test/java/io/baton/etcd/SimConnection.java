package io.baton.etcd;

import io.baton.testkit.sim.SimProcess;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection between a client and a member, and what a network can do to it. Messages overtake each other; each
 * arrives once, or never.
 */
final class SimConnection {

    private static final long MILLI = 1_000_000;

    private final SimEtcd etcd;
    private final SimProcess client;
    private final SimMember member;
    private final Runnable broken;
    private final SplittableRandom chance;
    private final Set<Message> up = new LinkedHashSet<>();
    private final Set<Message> down = new LinkedHashSet<>();
    private final long usual;
    private boolean upDead;
    private boolean downDead;
    private boolean closed;
    private long upHeld;
    private long downHeld;
    private long straggler;
    private @Nullable Runnable ambush;

    private static final class Message {
        final Runnable task;
        boolean lost;

        Message(Runnable task) {
            this.task = task;
        }
    }

    /** {@code broken} is called at the client's machine if it comes to notice. */
    SimConnection(SimEtcd etcd, SimProcess client, SimMember member, Runnable broken) {
        this.etcd = etcd;
        this.client = client;
        this.member = member;
        this.broken = broken;
        this.chance = etcd.sim.chance();
        this.usual = (chance.nextInt(4) == 0 ? 15 : 1) * MILLI;
        stall(etcd.unreachableUntil(client));
        member.connected(this);
    }

    /** Whether messages pass in both directions. */
    boolean flows() {
        long now = etcd.sim.now();
        return !upDead && !downDead && upHeld <= now && downHeld <= now;
    }

    SimProcess client() {
        return client;
    }

    SimMember member() {
        return member;
    }

    /** The client sends something; {@code write} if it may change something. */
    void toServer(boolean write, Runnable atTheServer) {
        if (write && ambush != null) {
            etcd.sim.at(etcd.sim.now() + chance.nextLong(5 * MILLI), ambush);
            ambush = null;
        }
        if (write && straggler > 0) {
            leaveBehind();
        }
        send(up, upDead || closed, true, () -> member.whenUp(atTheServer));
    }

    /** As {@link #toServer}, but now and then requests that are sent later are answered before this one takes effect. */
    void toServerLate(Runnable atTheServer) {
        if (chance.nextInt(12) == 0) {
            etcd.counts.add("late watches");
            etcd.sim.at(etcd.sim.now() + chance.nextLong(100 * MILLI), () -> toServer(false, atTheServer));
        } else {
            toServer(false, atTheServer);
        }
    }

    /** The server sends something. */
    void toClient(Runnable atTheClient) {
        send(down, downDead || closed, false, atTheClient);
    }

    /** As {@link #toClient}, but now and then the server sends this later than what comes after it. */
    void toClientLate(String late, Runnable atTheClient) {
        if (chance.nextInt(12) == 0) {
            etcd.counts.add(late);
            etcd.sim.at(etcd.sim.now() + chance.nextLong(100 * MILLI), () -> toClient(atTheClient));
        } else {
            toClient(atTheClient);
        }
    }

    /** The client closes its end; what it has sent may still arrive, or not. */
    void close() {
        if (!closed) {
            closed = true;
            loseSome(up, true);
            down.forEach(message -> message.lost = true);
            etcd.sim.at(etcd.sim.now() + latency(), () -> member.gone(this));
        }
    }

    /** The fault comes while the next write is under way. */
    void onNextWrite(Consumer<SimConnection> fault) {
        ambush = () -> fault.accept(this);
    }

    /** Breaks: some of what is under way is lost; the client notices. */
    void tear() {
        if (!closed) {
            etcd.counts.add("disconnects");
            etcd.disturb(client);
            loseSome(up, true);
            loseSome(down, false);
            closed = true;
            etcd.sim.at(etcd.sim.now() + latency(), broken);
            etcd.sim.at(etcd.sim.now() + latency(), () -> member.gone(this));
        }
    }

    /** The next write arrives late, and the connection breaks: the client has long turned to another when it does. */
    void straggle(long nanos) {
        straggler = nanos;
    }

    private void leaveBehind() {
        upHeld = Math.max(upHeld, etcd.sim.now() + straggler);
        straggler = 0;
        etcd.counts.add("stragglers");
        etcd.sim.at(etcd.sim.now() + chance.nextLong(5 * MILLI), () -> {
            if (!closed) {
                closed = true;
                etcd.disturb(client);
                loseSome(down, false);
                etcd.sim.at(etcd.sim.now() + latency(), broken);
                etcd.sim.at(etcd.sim.now() + latency(), () -> member.gone(this));
            }
        });
    }

    /** From now on nothing arrives in one or both directions, and nobody is told. */
    void fallSilent() {
        etcd.counts.add("silences");
        int which = chance.nextInt(3);
        if (which != 0) {
            upDead = true;
            loseAll(up, true);
        }
        if (which != 1) {
            downDead = true;
            loseAll(down, false);
        }
    }

    /** What is sent in one or both directions arrives late. */
    void delay(long nanos) {
        etcd.counts.add("delays");
        int which = chance.nextInt(3);
        long until = etcd.sim.now() + nanos;
        upHeld = which == 0 ? upHeld : Math.max(upHeld, until);
        downHeld = which == 1 ? downHeld : Math.max(downHeld, until);
    }

    /** Nothing arrives at the client before this virtual time. */
    void hold(long until) {
        downHeld = Math.max(downHeld, until);
    }

    /** Nothing arrives in either direction before this virtual time. */
    void stall(long until) {
        upHeld = Math.max(upHeld, until);
        downHeld = Math.max(downHeld, until);
    }

    private void send(Set<Message> lane, boolean dead, boolean request, Runnable task) {
        if (dead) {
            lost(request);
            return;
        }
        var message = new Message(task);
        lane.add(message);
        arrive(lane, message, latency());
    }

    private void arrive(Set<Message> lane, Message message, long after) {
        etcd.sim.at(etcd.sim.now() + after, () -> {
            long held = (lane == up ? upHeld : downHeld) - etcd.sim.now();
            if (message.lost) {
                lane.remove(message);
            } else if (held > 0) {
                arrive(lane, message, held + latency());
            } else {
                lane.remove(message);
                message.task.run();
            }
        });
    }

    private void loseSome(Set<Message> lane, boolean request) {
        int share = chance.nextInt(3);
        for (Message message : List.copyOf(lane)) {
            if (chance.nextInt(2) < share) {
                lose(message, request);
            }
        }
    }

    private void loseAll(Set<Message> lane, boolean request) {
        new ArrayList<>(lane).forEach(message -> lose(message, request));
    }

    private void lose(Message message, boolean request) {
        if (!message.lost) {
            message.lost = true;
            lost(request);
        }
    }

    private void lost(boolean request) {
        etcd.counts.add(request ? "lost requests" : "lost replies");
    }

    private long latency() {
        return chance.nextInt(40) == 0 ? chance.nextLong(60 * MILLI) : chance.nextLong(MILLI / 20, usual);
    }
}
