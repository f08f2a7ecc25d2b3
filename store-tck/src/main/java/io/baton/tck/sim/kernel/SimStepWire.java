package io.baton.tck.sim.kernel;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire;
import io.baton.testkit.sim.SimPipe;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The wire of one simulated session. Beats take a connection of their own. Steps and answers of a connection that broke
 * may arrive long after.
 */
final class SimStepWire implements StepWire {

    private final Simulation sim;
    private final StepServer server;
    private final SplittableRandom chance;
    private final String id;
    private final Duration ttl;
    private final Loop loop;
    private final Events to;
    private @Nullable Connection connection;
    private boolean attached;
    private boolean closed;

    SimStepWire(Simulation sim, StepServer server, String id, Duration ttl, Loop loop, Events to) {
        this.sim = sim;
        this.server = server;
        this.chance = sim.chance();
        this.id = id;
        this.ttl = ttl;
        this.loop = loop;
        this.to = to;
    }

    /** One contact. */
    final class Connection {
        final int generation = server.generation;
        final Set<Topic> followed = new LinkedHashSet<>();
        final SimPipe steps = pipe();
        final SimPipe answers = pipe();
        final SimPipe beats = pipe();
        final SimPipe beaten = pipe();
        long epoch = -1;
        boolean broken;

        private SimPipe pipe() {
            return new SimPipe(sim, () -> 200_000 + chance.nextLong(chance.nextInt(50) == 0 ? 80_000_000 : 2_000_000));
        }

        /** Some messages still arrive, maybe late. The client learns of it, or has to find out. */
        void breakNow() {
            if (broken) {
                return;
            }
            broken = true;
            for (SimPipe pipe : List.of(steps, answers, beats, beaten)) {
                pipe.hold(sim.now() + chance.nextLong(400_000_000));
                pipe.cutAfter(chance.nextInt(3));
            }
            if (server.trouble && chance.nextInt(4) == 0) {
                server.counts.add("contacts that are half open");
            } else {
                sim.after(
                        Duration.ofMillis(chance.nextInt(50)),
                        () -> loop.execute(() -> {
                            if (connection == this) {
                                to.disconnected("broken");
                            }
                        }));
            }
        }

        void hold(Duration time) {
            for (SimPipe pipe : List.of(steps, answers, beats, beaten)) {
                pipe.hold(sim.now() + time.toNanos());
            }
        }

        void over(CoordinationException why) {
            answers.send(() -> loop.execute(() -> {
                if (connection == this) {
                    to.over(why);
                }
            }));
        }

        void push(Consumer<Events> event) {
            answers.send(() -> loop.execute(() -> {
                if (connection == this || !attached) {
                    event.accept(to);
                }
            }));
        }
    }

    @Nullable
    Connection connection() {
        return connection;
    }

    @Override
    public void attach(boolean first, long acknowledged, Reply<Attached> reply) {
        var its = new Connection();
        connection = its;
        attached = false;
        maybeBreak(its, 30);
        its.steps.send(() -> {
            if (its.generation == server.generation) {
                Attached answer = server.attach(its, id, ttl, first, acknowledged);
                if (its.epoch >= 0) {
                    its.answers.send(() -> loop.execute(() -> {
                        attached |= connection == its;
                        reply.answered(answer);
                    }));
                }
            } else {
                its.breakNow();
            }
        });
    }

    @Override
    public void beat(List<String> looked, List<Topic> followed, Reply<Beaten> reply) {
        Connection its = connection;
        if (its == null) {
            return;
        }
        boolean refused = refuses();
        its.beats.send(() -> server.apply(its, id, () -> {
            if (refused) {
                return () -> its.beaten.send(() -> loop.execute(() -> reply.refused(refusal())));
            }
            server.renew(id);
            server.endOverdue();
            Map<Topic, Long> versions = new LinkedHashMap<>();
            followed.forEach(topic -> versions.put(topic, server.version(topic)));
            List<Standing> own = server.state().own(id).stream()
                    .filter(entry -> looked.contains(entry.name()))
                    .toList();
            Beaten answer = new Beaten(own, versions, server.quiet());
            return () -> its.beaten.send(() -> loop.execute(() -> reply.answered(answer)));
        }));
    }

    @Override
    public void step(List<Departure> leaving, Optional<Joining> joining, Reply<Stepped> reply) {
        boolean busy = server.trouble && chance.nextInt(10) == 0;
        send(reply, () -> {
            if (busy) {
                server.counts.add("removals that had to wait", leaving.size());
            } else {
                server.leave(leaving);
            }
            joining.ifPresent(entry -> server.renew(id));
            return new Stepped(
                    busy ? leaving.stream().map(Departure::name).toList() : List.of(),
                    joining.map(entry -> server.state().standing(server.join(id, entry))));
        });
    }

    @Override
    public void downgrade(Departure entry, Reply<Boolean> reply) {
        send(reply, () -> server.downgrade(entry));
    }

    @Override
    public void transact(
            long n,
            long acknowledged,
            List<Condition> conditions,
            List<Op> ops,
            List<Peer> removed,
            Reply<Boolean> reply) {
        send(reply, () -> server.transact(id, n, acknowledged, conditions, ops, removed));
    }

    @Override
    public void isFree(Line line, Claim claim, Reply<Availability> reply) {
        send(reply, () -> Availability.of(server.state().isFree(line, claim)));
    }

    @Override
    public void peers(Line line, Reply<List<Peer>> reply) {
        send(reply, () -> server.state().line(line).stream().map(Entry::peer).toList());
    }

    @Override
    public void first(Line line, Reply<Optional<Entry>> reply) {
        send(reply, () -> Optional.ofNullable(server.state().first(line)));
    }

    @Override
    public void details(Peer peer, Reply<Optional<Entry>> reply) {
        send(
                reply,
                () -> server.state().line(peer.line()).stream()
                        .filter(entry -> entry.peer().equals(peer))
                        .findFirst());
    }

    @Override
    public void get(RecordKey key, Reply<Optional<Item>> reply) {
        send(reply, () -> Optional.ofNullable(server.state().records().get(key)));
    }

    @Override
    public void follow(Topic topic, Reply<Long> reply) {
        Connection its = connection;
        send(reply, () -> {
            if (its != null) {
                its.followed.add(topic);
            }
            return server.version(topic);
        });
    }

    @Override
    public void unfollow(Topic topic) {}

    @Override
    public void snapshot(String tree, Reply<Snapshot> reply) {
        send(reply, () -> {
            StepState state = server.state();
            return new Snapshot(List.copyOf(state.records().values()), new Position(state.history, state.revision));
        });
    }

    @Override
    public void changesSince(String tree, long revision, Reply<Optional<Changes>> reply) {
        send(
                reply,
                () -> server.changesSince(revision).map(changes -> {
                    StepState state = server.state();
                    List<Item> put = new ArrayList<>();
                    List<RecordKey> deleted = new ArrayList<>();
                    changes.stream().map(StepState.Change::key).distinct().forEach(key -> {
                        Item item = state.records().get(key);
                        if (item == null) {
                            deleted.add(key);
                        } else {
                            put.add(item);
                        }
                    });
                    return new Changes(put, deleted, state.revision);
                }));
    }

    @Override
    public void end(Reply<Boolean> reply) {
        send(reply, () -> {
            server.end(id);
            return true;
        });
    }

    @Override
    public void close() {
        connection = null;
        closed = true;
    }

    /** The contact breaks while this message or its answer is under way. */
    private void maybeBreak(Connection its, int oneIn) {
        if (server.trouble && chance.nextInt(oneIn) == 0) {
            sim.after(Duration.ofNanos(chance.nextInt(4_000_000)), its::breakNow);
        }
    }

    private boolean refuses() {
        boolean refused = server.trouble && chance.nextInt(100) == 0;
        if (refused) {
            server.counts.add("steps refused");
        }
        return refused;
    }

    boolean isClosed() {
        return closed;
    }

    private <T> void send(Reply<T> reply, Supplier<T> step) {
        Connection its = connection;
        if (its != null) {
            boolean refused = refuses();
            maybeBreak(its, 400);
            its.steps.send(() -> server.apply(its, id, () -> {
                if (refused) {
                    return () -> its.answers.send(() -> loop.execute(() -> reply.refused(refusal())));
                }
                T answer = step.get();
                return () -> its.answers.send(() -> loop.execute(() -> reply.answered(answer)));
            }));
        }
    }

    private static CoordinationException refusal() {
        return new CoordinationException("refused");
    }
}
