package io.baton.tck.sim.kernel;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Link;
import io.baton.spi.Peer;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A simulated program: contends in lines, writes and follows records, follows lines, opens a session anew. */
final class KernelClient implements SessionListener {

    static final String TREE = "records";

    final String name;
    final SimProcess process;
    private final KernelRun run;
    private final SimLoop loop;
    private final SplittableRandom chance;
    private final List<StepContender> contenders;
    private final StepWriter writer;
    private final Set<String> underWay = new LinkedHashSet<>();
    private final List<SimStepWire> wires = new ArrayList<>();
    private @Nullable Session session;
    private long connectedAt;
    private @Nullable Followed followed;
    private boolean stopping;
    private int sessions;
    private int calls;

    KernelClient(KernelRun run, String name) {
        this.run = run;
        this.name = name;
        this.process = new SimProcess(run.sim, name, 2_000);
        this.loop = process.thread("loop");
        this.chance = run.sim.chance();
        this.contenders = KernelRun.LINES.stream()
                .map(line -> new StepContender(this, run, line, chance))
                .toList();
        this.writer = new StepWriter(this, run, chance);
    }

    /** What the followers of a session know. */
    private static final class Followed implements TreeListener {
        private final Map<RecordKey, String> records = new LinkedHashMap<>();
        private final Map<Line, Optional<Entry>> first = new LinkedHashMap<>();
        private final Map<Line, List<Peer>> peers = new LinkedHashMap<>();

        @Override
        public void snapshot(List<Item> all, Position at) {
            records.clear();
            all.forEach(item -> records.put(item.key(), item.text()));
        }

        @Override
        public void changed(List<Item> put, List<RecordKey> deleted, long revision) {
            put.forEach(item -> records.put(item.key(), item.text()));
            deleted.forEach(records::remove);
        }
    }

    void open() {
        loop.execute(() -> {
            openNow();
            contenders.forEach(this::rejoinLater);
            writeLater();
        });
    }

    private void openNow() {
        run.counts.add("sessions");
        Duration ttl = KernelRun.TTL.multipliedBy(2 + chance.nextInt(2)).dividedBy(2);
        Session now = KernelSession.open(
                (id, its, client, on, to) -> {
                    var wire = new SimStepWire(run.sim, run.server, id, its, on, to);
                    wires.add(wire);
                    return wire;
                },
                name + "." + sessions++,
                new SessionSpec(ttl, name),
                KernelRun.TTL,
                loop,
                this);
        session = now;
        var its = new Followed();
        followed = its;
        var unused = now.observe(TREE, its);
        for (Line line : KernelRun.LINES) {
            if (line.kind() == Line.Kind.PERMITS) {
                var unusedPeers = now.observePeers(line, peers -> its.peers.put(line, peers));
            } else {
                var unusedHead = now.observe(line, first -> its.first.put(line, first));
            }
        }
    }

    @Override
    public void connected() {
        connectedAt = run.sim.now();
        note("connected");
        contenders.forEach(this::rejoin);
    }

    @Override
    public void suspended() {
        note("suspended");
    }

    @Override
    public void proven() {}

    @Override
    public void lost(CoordinationException why) {
        note("session lost: " + why.getMessage());
        run.counts.add("sessions lost");
        session = null;
        if (!stopping) {
            later(chance.nextInt(300), this::openNow);
        }
    }

    void rejoinLater(StepContender contender) {
        later(chance.nextInt(600), () -> rejoin(contender));
    }

    private void rejoin(StepContender contender) {
        Session now = session;
        if (!stopping && contender.isOut() && now != null && now.link() != Link.LOST) {
            contender.join(now);
        }
    }

    private void writeLater() {
        later(chance.nextInt(400), () -> {
            Session now = session;
            if (now != null && run.server.trouble) {
                StepContender some = contenders.get(chance.nextInt(contenders.size()));
                writer.write(now, some.held());
                if (chance.nextInt(20) == 0) {
                    contenders.forEach(StepContender::leave);
                    contenders.forEach(this::rejoin);
                }
                if (chance.nextInt(4) == 0) {
                    expectEnd(
                            "whether " + some.line + " is free",
                            now.isFree(some.line, some.claim()),
                            (free, failure) -> {});
                }
            }
            if (!stopping) {
                writeLater();
            }
        });
    }

    /** Something has to come to an end. */
    <T> void expectEnd(String what, CompletionStage<T> stage, BiConsumer<? super T, ? super @Nullable Throwable> then) {
        String call = what + " (" + calls++ + ")";
        underWay.add(call);
        Futures.onDone(stage, (value, failure) -> {
            underWay.remove(call);
            then.accept(value, failure);
        });
    }

    void later(int millis, Runnable task) {
        loop.after(Duration.ofMillis(millis), task);
    }

    void note(String what) {
        loop.note(what);
    }

    // ---- for the run

    @Nullable
    Session session() {
        return session;
    }

    /** Since when it has been in contact. An attach whose answer is lost may be given up half a minute later only. */
    long connectedAt() {
        return connectedAt;
    }

    StepContender contender(int line) {
        return contenders.get(line);
    }

    /** Whether it has been granted this entry, and has not heard that it has gone. */
    boolean believesIn(@Nullable Peer entry) {
        return entry != null && contenders.stream().anyMatch(each -> entry.equals(each.held()));
    }

    /** Whether its session has a proof that has not run out. */
    boolean isProven() {
        Session now = session;
        return now != null
                && !process.dead()
                && now.link() != Link.LOST
                && now.proof().carefulRemainingNanos(process.nanoTime(), process.wallMillis()) > 0;
    }

    void breakContact() {
        SimStepWire.Connection connection = connection();
        if (connection != null) {
            connection.breakNow();
        }
    }

    void hold(Duration time) {
        SimStepWire.Connection connection = connection();
        if (connection != null) {
            connection.hold(time);
        }
    }

    private SimStepWire.@Nullable Connection connection() {
        return wires.isEmpty() ? null : wires.get(wires.size() - 1).connection();
    }

    /** Ends the session; another one follows. */
    void close() {
        loop.execute(() -> {
            Session now = session;
            if (now != null) {
                run.counts.add("sessions closed");
                expectEnd("closing " + now.id(), now.close(), (done, failure) -> {});
            }
        });
    }

    /** Nobody waits for long when all is well. */
    void checkProgress() {
        Session now = checkSession();
        contenders.forEach(each -> each.checkProgress(now.id()));
    }

    private Session checkSession() {
        Session now = session;
        run.sim.check(now != null && now.link() == Link.CONNECTED, () -> name + " is not in contact");
        run.sim.check(now != null && now.proof().remainingNanos(process.nanoTime()) > 0, () -> name + " has no proof");
        return Objects.requireNonNull(now);
    }

    void stop() {
        stopping = true;
        loop.execute(() -> contenders.forEach(StepContender::leave));
    }

    void judge() {
        var unused = checkSession();
        run.sim.check(underWay.isEmpty(), () -> name + " waits for " + underWay);
        writer.judge();
        wires.subList(0, wires.size() - 1)
                .forEach(wire -> run.sim.check(wire.isClosed(), () -> name + " has not closed a wire"));
        Followed known = Objects.requireNonNull(followed);
        StepState state = run.server.state();
        Map<RecordKey, String> now = new LinkedHashMap<>();
        state.records().forEach((key, item) -> now.put(key, item.text()));
        run.sim.check(known.records.equals(now), () -> name + " knows " + known.records + " and there is " + now);
        known.first.forEach((line, first) ->
                run.sim.check(first.isEmpty(), () -> name + " sees " + first + " in " + line + ", which is empty"));
        known.peers.forEach((line, peers) ->
                run.sim.check(peers.isEmpty(), () -> name + " sees " + peers + " in " + line + ", which is empty"));
        int seen = known.first.size() + known.peers.size();
        run.sim.check(seen == KernelRun.LINES.size(), () -> name + " sees " + seen + " lines");
    }
}
