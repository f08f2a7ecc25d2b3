package io.baton.chaos.nemesis;

import io.baton.chaos.nemesis.Disruption.Strike;
import io.baton.chaos.nemesis.Disruption.Struck;
import io.baton.chaos.nemesis.Disruption.Undo;
import io.baton.chaos.servers.DatabaseServers;
import io.baton.chaos.servers.Promotion;
import io.baton.testkit.proxy.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** What can happen to a database. */
final class DatabaseFaults {

    private static final String PRIMARY = "the_primary";
    private static final String NETWORK = "all_connections";

    private final DatabaseServers servers;
    private final Spans spans;
    private final Random random;

    DatabaseFaults(DatabaseServers servers, Spans spans, Random random) {
        this.servers = servers;
        this.spans = spans;
        this.random = random;
    }

    /** One maker for each kind. */
    List<Supplier<Disruption>> makers() {
        List<Supplier<Disruption>> makers = new ArrayList<>(List.of(
                () -> new Disruption("server killed", spans.between(0, 0.5), killed()),
                () -> new Disruption("server killed for long", spans.between(1.1, 2.2), killed()),
                () -> new Disruption("one process killed", spans.any(), once(servers::killOneProcess)),
                () -> new Disruption("server frozen", spans.between(0.1, 0.9), frozen()),
                () -> new Disruption("server frozen for long", spans.between(1.2, 2.5), frozen()),
                () -> new Disruption("all connections reset", spans.between(0, 0.5), once(servers::cut)),
                () -> held("all connections half-open", Direction.TO_SERVER, Direction.TO_CLIENT),
                () -> held("server not heard", Direction.TO_CLIENT),
                () -> held("server deaf", Direction.TO_SERVER),
                () -> promoted("standby promoted", Duration.ZERO),
                () -> promoted("lagging standby promoted", spans.between(0.1, 1.3))));
        if (servers.hasWallClocks()) {
            makers.add(() -> clockMoved("server's wall clock moved", WallJumps.any(spans, random)));
            makers.add(() -> clockMoved("server's wall clock an hour ahead", Duration.ofHours(1)));
            makers.add(() -> clockMoved("server's wall clock an hour behind", Duration.ofHours(-1)));
        }
        return makers;
    }

    private Strike killed() {
        return () -> {
            servers.kill();
            return new Struck(PRIMARY, servers::restart);
        };
    }

    private Strike frozen() {
        return () -> {
            servers.freeze();
            return new Struck(PRIMARY, servers::wake);
        };
    }

    private static Strike once(Undo fault) {
        return () -> {
            fault.run();
            return new Struck(PRIMARY, () -> {});
        };
    }

    private Disruption held(String kind, Direction... ways) {
        return new Disruption(kind, spans.any(), () -> {
            servers.hold(ways);
            return new Struck(NETWORK, servers::heal);
        });
    }

    private Disruption promoted(String kind, Duration lag) {
        return new Disruption(kind, spans.any(), () -> {
            Promotion done = servers.promote(lag);
            return new Struck(
                    "server_" + done.primary(), servers::rebuild, List.of("safe", done.safe(), "gone", done.gone()));
        });
    }

    private Disruption clockMoved(String kind, Duration off) {
        return new Disruption(kind, spans.any(), () -> {
            int server = servers.primary();
            servers.moveWallClock(server, off);
            return new Struck("server_" + server + "_by_" + off, () -> servers.moveWallClock(server, Duration.ZERO));
        });
    }
}
