package io.baton.tck.sim.recipes;

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
import io.baton.tck.sim.recipes.RecipeServer.SessionRow;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The wire of one session to a {@link RecipeServer}. Beats take a connection of their own. Steps and answers of a
 * connection that broke may arrive long after.
 */
final class RecipeWire implements StepWire {

    private final Simulation sim;
    private final RecipeServer server;
    private final SplittableRandom chance;
    private final String id;
    private final Duration ttl;
    private final Loop loop;
    private final Events to;
    private long heldUntil;
    private @Nullable Connection connection;
    private boolean attached;

    RecipeWire(RecipeServer server, String id, Duration ttl, Loop loop, Events to) {
        this.sim = server.sim;
        this.server = server;
        this.chance = sim.chance();
        this.id = id;
        this.ttl = ttl;
        this.loop = loop;
        this.to = to;
    }

    /** One contact. */
    final class Connection {
        final int generation = server.generation();
        final Set<Topic> followed = new LinkedHashSet<>();
        private final SimPipe steps = pipe();
        private final SimPipe answers = pipe();
        private final SimPipe beats = pipe();
        private final SimPipe beaten = pipe();
        long epoch = -1;
        private boolean broken;

        private SimPipe pipe() {
            SimPipe pipe =
                    new SimPipe(sim, () -> 200_000 + chance.nextLong(chance.nextInt(50) == 0 ? 80_000_000 : 2_000_000));
            pipe.hold(heldUntil);
            return pipe;
        }

        private List<SimPipe> pipes() {
            return List.of(steps, answers, beats, beaten);
        }

        /** Some messages still arrive, maybe late. The client learns of it, or has to find out. */
        void breakNow() {
            if (broken) {
                return;
            }
            broken = true;
            for (SimPipe pipe : pipes()) {
                pipe.hold(sim.now() + chance.nextLong(400_000_000));
                pipe.cutAfter(chance.nextInt(3));
            }
            if (attached && chance.nextInt(4) == 0) {
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

    // ---- faults

    void breakContact() {
        if (connection != null) {
            connection.breakNow();
        }
    }

    /** Nothing gets through for this long. */
    void hold(Duration time) {
        heldUntil = Math.max(heldUntil, sim.now() + time.toNanos());
        if (connection != null) {
            connection.pipes().forEach(pipe -> pipe.hold(heldUntil));
        }
    }

    /** Answers and events are late; what the client sends is not. */
    void holdAnswers(Duration time) {
        if (connection != null) {
            connection.answers.hold(sim.now() + time.toNanos());
        }
    }

    // ---- steps

    @Override
    public void attach(boolean first, long acknowledged, Reply<Attached> reply) {
        var its = new Connection();
        connection = its;
        attached = false;
        its.steps.send(() -> {
            if (its.generation == server.generation()) {
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
        its.beats.send(() -> server.apply(its, id, row -> {
            server.renew(row);
            Map<Topic, Long> versions = new LinkedHashMap<>(); // in one order: topics have the hash of an enum
            followed.forEach(topic -> versions.put(topic, server.version(topic)));
            List<Standing> own = server.own(id).stream()
                    .filter(entry -> looked.contains(entry.name()))
                    .toList();
            Beaten answer = new Beaten(own, versions, Duration.ZERO);
            return () -> its.beaten.send(() -> loop.execute(() -> reply.answered(answer)));
        }));
    }

    @Override
    public void step(List<Departure> leaving, Optional<Joining> joining, Reply<Stepped> reply) {
        boolean busy = joining.isEmpty() && server.trouble() && chance.nextInt(10) == 0;
        send(reply, row -> {
            if (busy) {
                server.counts.add("removals that had to wait");
                return new Stepped(leaving.stream().map(Departure::name).toList(), Optional.empty());
            }
            server.leave(leaving);
            joining.ifPresent(entry -> server.renew(row));
            return new Stepped(List.of(), joining.map(entry -> server.join(id, entry)));
        });
    }

    @Override
    public void downgrade(Departure entry, Reply<Boolean> reply) {
        throw new UnsupportedOperationException("no recipe shares a line after it held it alone");
    }

    @Override
    public void transact(
            long n,
            long acknowledged,
            List<Condition> conditions,
            List<Op> ops,
            List<Peer> removed,
            Reply<Boolean> reply) {
        send(reply, row -> {
            row.verdicts.keySet().removeIf(old -> old <= acknowledged);
            return row.verdicts.computeIfAbsent(n, first -> server.transact(conditions, ops, removed));
        });
    }

    @Override
    public void isFree(Line line, Claim claim, Reply<Availability> reply) {
        send(reply, row -> Availability.of(server.isFree(line, claim)));
    }

    @Override
    public void peers(Line line, Reply<List<Peer>> reply) {
        send(reply, row -> server.line(line.path()).stream().map(Entry::peer).toList());
    }

    @Override
    public void first(Line line, Reply<Optional<Entry>> reply) {
        send(reply, row -> server.line(line.path()).stream().findFirst());
    }

    @Override
    public void details(Peer peer, Reply<Optional<Entry>> reply) {
        send(
                reply,
                row -> server.line(peer.line().path()).stream()
                        .filter(entry -> entry.peer().equals(peer))
                        .findFirst());
    }

    @Override
    public void get(RecordKey key, Reply<Optional<Item>> reply) {
        send(reply, row -> server.record(key));
    }

    @Override
    public void follow(Topic topic, Reply<Long> reply) {
        Connection its = connection;
        send(reply, row -> {
            if (its != null) {
                its.followed.add(topic);
            }
            return server.version(topic);
        });
    }

    @Override
    public void unfollow(Topic topic) {
        Connection its = connection;
        if (its != null) {
            its.steps.send(() -> its.followed.remove(topic));
        }
    }

    @Override
    public void snapshot(String tree, Reply<Snapshot> reply) {
        send(
                reply,
                row -> new Snapshot(server.items(tree), new Position("history", server.version(new Topic.Tree(tree)))));
    }

    @Override
    public void changesSince(String tree, long revision, Reply<Optional<Changes>> reply) {
        send(
                reply,
                row -> server.changesSince(tree, revision).map(changes -> {
                    List<Item> put = new ArrayList<>();
                    List<RecordKey> deleted = new ArrayList<>();
                    changes.stream()
                            .map(RecipeServer.Change::key)
                            .distinct()
                            .forEach(key -> server.record(key).ifPresentOrElse(put::add, () -> deleted.add(key)));
                    return new Changes(put, deleted, Math.max(revision, server.version(new Topic.Tree(tree))));
                }));
    }

    @Override
    public void end(Reply<Boolean> reply) {
        send(reply, row -> {
            server.end(id);
            return true;
        });
    }

    @Override
    public void close() {
        connection = null;
    }

    private <T> void send(Reply<T> reply, Function<SessionRow, T> step) {
        Connection its = connection;
        if (its != null) {
            its.steps.send(() -> server.apply(its, id, row -> {
                T answer = step.apply(row);
                return () -> its.answers.send(() -> loop.execute(() -> reply.answered(answer)));
            }));
        }
    }
}
