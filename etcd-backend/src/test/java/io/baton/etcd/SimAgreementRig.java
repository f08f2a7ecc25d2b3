package io.baton.etcd;

import io.baton.etcd.SimStore.Command;
import io.baton.etcd.wire.EtcdWire;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A client of the model, in virtual time and without faults. */
final class SimAgreementRig implements AgreementRig {

    private static final Duration STEP = Duration.ofMillis(1);
    private static final int STEPS = 30_000;

    private final Simulation sim;
    private final SimEtcd etcd;
    private final SimProcess process;
    private final SimLoop loop;
    private final CompletableFuture<EtcdWire> wire = new CompletableFuture<>();

    /** {@code old} as {@link SimEtcd}'s. */
    SimAgreementRig(long seed, boolean old) {
        sim = new Simulation(seed);
        etcd = new SimEtcd(sim, Duration.ofSeconds(1), old, 0);
        process = new SimProcess(sim, "client", 0);
        loop = process.thread("loop");
        sim.runFor(Duration.ofSeconds(1)); // every member has heard of the leader
    }

    @Override
    public void open(EtcdWire.Events events) {
        wire.complete(SimEtcdWire.from(process, etcd, loop, "/", made -> {}).open(LiveAgreementRig.PATIENCE, events));
    }

    @Override
    public void on(Consumer<EtcdWire> act) {
        loop.execute(() -> act.accept(wire.join()));
    }

    @Override
    public boolean until(BooleanSupplier condition) {
        for (int i = 0; i < STEPS && !condition.getAsBoolean(); i++) {
            sim.runFor(STEP);
        }
        return condition.getAsBoolean();
    }

    @Override
    public void compact(long revision) {
        etcd.byHand(new Command.Compact(revision));
        sim.runFor(Duration.ofSeconds(1));
    }

    @Override
    public long watches() {
        return etcd.members().stream()
                .mapToLong(member -> member.watches().size())
                .sum();
    }

    @Override
    public void close() {
        on(EtcdWire::close);
        sim.runFor(Duration.ofSeconds(1));
    }
}
