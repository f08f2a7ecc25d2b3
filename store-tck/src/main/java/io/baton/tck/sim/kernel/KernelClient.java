package io.baton.tck.sim.kernel;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.StoreUnavailableException;
import io.baton.recipe.Futures;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Link;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.TreeListener;
import io.baton.spi.kernel.KernelSession;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A simulated program: joins lines, holds for a while, leaves; writes and follows records; opens a session anew. */
final class KernelClient implements SessionListener {

    private static final String TREE = "records";

    final String name;
    final SimProcess process;
    private final KernelRun run;
    private final SimLoop loop;
    private final SplittableRandom chance;
    private final Map<Line, Contender> contenders = new LinkedHashMap<>();
    private final List<Write> writes = new ArrayList<>();
    private @Nullable Session session;
    private @Nullable SimStepWire wire;
    private @Nullable Records records;
    private boolean headKnown;
    private Optional<Entry> head = Optional.empty();
    private boolean stopping;
    private int sessions;
    private int written;

    KernelClient(KernelRun run, String name) {
        this.run = run;
        this.name = name;
        this.process = new SimProcess(run.sim, name, 2_000);
        this.loop = process.thread("loop");
        this.chance = run.sim.chance();
    }

    /** What this client does in one line. */
    private static final class Contender implements PlaceListener {

        private final KernelClient client;
        private final Line line;
        private @Nullable Place place;
        private boolean clear;
        private long token;
        private long joinedAt;

        Contender(KernelClient client, Line line) {
            this.client = client;
            this.line = line;
        }

        void join(Session session) {
            clear = false;
            joinedAt = client.run.sim.now();
            client.loop.note("joins " + line);
            place = session.join(line, new byte[0], this);
            if (client.chance.nextInt(5) == 0) {
                client.later(client.chance.nextInt(500), this::leave);
            }
        }

        void leave() {
            Place its = place;
            if (its != null) {
                client.loop.note("leaves " + line);
                place = null;
                clear = false;
                var unused = its.leave();
                client.rejoinLater(this);
            }
        }

        @Override
        public void waiting() {
            client.run.counts.add("waits");
        }

        @Override
        public void clear(Entry mine) {
            client.loop.note("is clear in " + line + " as " + mine.token());
            clear = true;
            token = mine.token();
            if (client.holds(line)) {
                client.run.granted(mine);
            }
            Place its = place;
            client.later(client.chance.nextInt(800), () -> {
                if (place == its) {
                    leave();
                }
            });
        }

        @Override
        public void lost(CoordinationException why) {
            client.loop.note("lost its place in " + line + ": " + why.getMessage());
            client.run.counts.add(clear ? "holds lost" : "places lost");
            clear = false;
            place = null;
            client.rejoinLater(this);
        }
    }

    /** A transaction, and what was said of it. */
    private static final class Write {
        private final String text;
        private @Nullable Throwable failure;
        private boolean done;

        Write(String text) {
            this.text = text;
        }
    }

    /** What a follower knows. */
    private static final class Records implements TreeListener {
        private final Map<RecordKey, String> known = new LinkedHashMap<>();

        @Override
        public void snapshot(List<Item> all, Position at) {
            known.clear();
            all.forEach(item -> known.put(item.key(), item.text()));
        }

        @Override
        public void changed(List<Item> put, List<RecordKey> deleted, long revision) {
            put.forEach(item -> known.put(item.key(), item.text()));
            deleted.forEach(known::remove);
        }
    }

    void open() {
        loop.execute(this::openNow);
    }

    private void openNow() {
        run.counts.add("sessions");
        Session now = KernelSession.open(
                (id, ttl, client, its, to) -> wire = new SimStepWire(run.sim, run.server, id, ttl, its, to),
                name + "." + sessions++,
                new SessionSpec(KernelRun.TTL, name),
                KernelRun.TTL,
                loop,
                this);
        session = now;
        var followed = new Records();
        records = followed;
        var unused = now.observe(TREE, followed);
        headKnown = false;
        var unusedHead = now.observe(KernelRun.LINES.get(0), first -> {
            headKnown = true;
            head = first;
        });
        for (Line line : KernelRun.LINES) {
            contenders.computeIfAbsent(line, its -> new Contender(this, its));
        }
        if (sessions == 1) {
            contenders.values().forEach(this::rejoinLater);
            writeLater();
        }
    }

    @Override
    public void connected() {
        loop.note("connected");
        contenders.values().forEach(this::rejoin);
    }

    @Override
    public void suspended() {
        loop.note("suspended");
    }

    @Override
    public void proven() {}

    @Override
    public void lost(CoordinationException why) {
        loop.note("session lost: " + why.getMessage());
        run.counts.add("sessions lost");
        session = null;
        if (!stopping) {
            later(chance.nextInt(300), this::openNow);
        }
    }

    private void rejoinLater(Contender contender) {
        later(chance.nextInt(600), () -> rejoin(contender));
    }

    private void rejoin(Contender contender) {
        Session now = session;
        if (!stopping && contender.place == null && now != null && now.link() != Link.LOST) {
            contender.join(now);
        }
    }

    private void writeLater() {
        later(chance.nextInt(400), () -> {
            if (!stopping) {
                write();
                writeLater();
            }
        });
    }

    private void write() {
        Session now = session;
        if (now == null || !run.server.trouble) {
            return;
        }
        var write = new Write(name + "-" + written++);
        writes.add(write);
        int generation = run.server.generation;
        var key = new RecordKey(TREE, "r" + chance.nextInt(3));
        var answer = now.transact(List.of(), List.of(Op.put(key, write.text)));
        Futures.onDone(answer, (committed, failure) -> {
            write.done = true;
            write.failure = failure == null ? null : Futures.cause(failure);
            run.counts.add(
                    failure == null
                            ? "writes"
                            : "writes: " + Futures.cause(failure).getClass().getSimpleName());
            run.sim.check(failure != null || committed, () -> write.text + " was refused without a condition");
            run.sim.check(
                    failure != null || generation != run.server.generation || run.isApplied(write.text),
                    () -> write.text + " was not applied");
        });
    }

    private void later(int millis, Runnable task) {
        loop.after(Duration.ofMillis(millis), task);
    }

    // ---- for the run

    /** Whether this client believes to hold the line, and may. */
    boolean holds(Line line) {
        Contender contender = contenders.get(line);
        Session now = session;
        return contender != null
                && contender.clear
                && !run.server.removedByHand.contains(contender.token)
                && now != null
                && !process.dead()
                && now.link() != Link.LOST
                && now.proof().carefulRemainingNanos(process.nanoTime(), process.wallMillis()) > 0;
    }

    void breakContact() {
        SimStepWire.Connection connection = wire == null ? null : wire.connection();
        if (connection != null) {
            connection.breakNow();
        }
    }

    void hold(Duration time) {
        SimStepWire.Connection connection = wire == null ? null : wire.connection();
        if (connection != null) {
            connection.hold(time);
        }
    }

    /** Nobody waits for long when all is well. */
    void checkProgress() {
        run.sim.check(session != null && session.link() == Link.CONNECTED, () -> name + " is not in contact");
        run.sim.check(
                session != null && session.proof().remainingNanos(process.nanoTime()) > 0,
                () -> name + " has no proof");
        contenders
                .values()
                .forEach(each -> run.sim.check(
                        each.place == null || run.sim.now() - each.joinedAt < KernelRun.PATIENCE.toNanos(),
                        () -> name + " has waited for " + each.line + " since " + each.joinedAt));
    }

    void stop() {
        stopping = true;
        loop.execute(() -> contenders.values().forEach(Contender::leave));
    }

    void judge() {
        for (Write write : writes) {
            run.sim.check(write.done, () -> write.text + " was never answered");
            run.sim.check(
                    !(write.failure instanceof StoreUnavailableException) || !run.isApplied(write.text),
                    () -> write.text + " was said not to be applied");
        }
        Map<RecordKey, String> now = new LinkedHashMap<>();
        run.server.state().records().forEach((key, item) -> now.put(key, item.text()));
        run.sim.check(
                records != null && records.known.equals(now),
                () -> name + " knows " + (records == null ? null : records.known) + " and there is " + now);
        run.sim.check(
                headKnown && head.equals(run.firstOf(KernelRun.LINES.get(0))), () -> name + " sees first " + head);
    }
}
