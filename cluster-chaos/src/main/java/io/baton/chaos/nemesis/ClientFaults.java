package io.baton.chaos.nemesis;

import io.baton.chaos.fleet.ProcessSlot;
import io.baton.chaos.history.FaultKinds;
import io.baton.chaos.nemesis.Disruption.Strike;
import io.baton.chaos.nemesis.Disruption.Struck;
import io.baton.chaos.servers.Servers;
import io.baton.testkit.proxy.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/** What can happen to client processes. */
final class ClientFaults {

    private static final int MOST_DELAY_MILLIS = 300;

    private final Servers servers;
    private final Spans spans;
    private final Random random;

    ClientFaults(Servers servers, Spans spans, Random random) {
        this.servers = servers;
        this.spans = spans;
        this.random = random;
    }

    /**
     * One maker for each kind; each makes a fault of the process in a given place.
     *
     * @param clocks whether their wall clocks can be moved
     */
    List<Function<ProcessSlot, Disruption>> makers(boolean clocks) {
        List<Function<ProcessSlot, Disruption>> makers = new ArrayList<>(List.of(
                berth -> new Disruption("client killed", spans.between(0, 0.5), killed(berth)),
                berth -> new Disruption("client frozen", spans.between(0.1, 0.9), frozen(berth)),
                berth -> new Disruption("client frozen for long", spans.between(1.1, 2.5), frozen(berth)),
                berth -> new Disruption("client cut off", spans.between(0.1, 0.9), network(berth, berth::partition)),
                berth -> new Disruption(
                        "client cut off for long", spans.between(1.1, 2.5), network(berth, berth::partition)),
                berth -> fault("client not heard", network(berth, () -> berth.partition(Direction.TO_SERVER))),
                berth -> fault("client deaf", network(berth, () -> berth.partition(Direction.TO_CLIENT))),
                berth -> fault("client cut off from one server", network(berth, () -> berth.partitionFrom(member()))),
                berth -> fault("client refused", network(berth, berth::refuse)),
                berth -> fault("client's connections reset", network(berth, berth::cut)),
                berth -> fault("client's network slow", network(berth, () -> berth.delay(delay())))));
        if (clocks) {
            makers.add(berth -> fault(FaultKinds.CLIENT_CLOCK_MOVED, clockMoved(berth, WallJumps.any(spans, random))));
        }
        return makers;
    }

    private Disruption fault(String kind, Strike strike) {
        return new Disruption(kind, spans.any(), strike);
    }

    private static Strike killed(ProcessSlot berth) {
        return () -> {
            String name = berth.name();
            berth.kill();
            return new Struck(name, berth::start);
        };
    }

    private static Strike frozen(ProcessSlot berth) {
        return () -> {
            berth.freeze();
            return new Struck(berth.name(), berth::wake);
        };
    }

    private static Strike network(ProcessSlot berth, Runnable disturbance) {
        return () -> {
            disturbance.run();
            return new Struck(berth.name(), berth::heal);
        };
    }

    private static Strike clockMoved(ProcessSlot berth, Duration off) {
        return () -> {
            berth.moveWallClock(off);
            return new Struck(berth.name() + "_by_" + off, () -> berth.moveWallClock(Duration.ZERO));
        };
    }

    private int member() {
        return servers.members().get(random.nextInt(servers.members().size()));
    }

    private Duration delay() {
        return Duration.ofMillis(1 + random.nextInt(MOST_DELAY_MILLIS));
    }
}
