package io.baton.chaos.nemesis;

import io.baton.chaos.fleet.ClientFleet;
import io.baton.chaos.fleet.ProcessSlot;
import io.baton.chaos.history.Costs;
import io.baton.chaos.nemesis.Disruption.Strike;
import io.baton.chaos.nemesis.Disruption.Struck;
import io.baton.chaos.servers.Permission;
import io.baton.chaos.servers.ServerCluster;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** What comes of who runs the store: clients that may not do what they could, used up space, renewed certificates. */
final class OperatorFaults {

    /** So much before they are replaced, certificates that do not last run out. */
    private static final Duration BEFORE_RENEWAL = Duration.ofSeconds(1);

    /** An entry that may not be removed is tried ever more seldom, after a quarter of a minute every half a minute only. */
    private static final double MOST_TIMES_TTL_REVOKED = 1.8;

    private static final Duration FOR_LONG = Duration.ofDays(1);

    private final ServerCluster servers;
    private final ClientFleet fleet;
    private final List<String> locks;
    private final Operations operations;
    private final Spans spans;
    private final Random random;

    OperatorFaults(
            ServerCluster servers,
            ClientFleet fleet,
            List<String> locks,
            Operations operations,
            Spans spans,
            Random random) {
        this.servers = servers;
        this.fleet = fleet;
        this.locks = locks;
        this.operations = operations;
        this.spans = spans;
        this.random = random;
    }

    /** One maker for each kind. */
    List<Supplier<Disruption>> makers() {
        return List.of(
                () -> revoked("permission to write revoked", Permission.READ),
                () -> revoked("permission to read and write revoked", Permission.NONE),
                () -> new Disruption("space used up", spans.any(), Costs.NO_HOLD, spaceUsedUp()),
                this::certificatesRenewed);
    }

    private Disruption revoked(String kind, Permission left) {
        String lock = locks.get(random.nextInt(locks.size()));
        return new Disruption(kind, spans.between(0.1, MOST_TIMES_TTL_REVOKED), Costs.holdsOf(lock), () -> {
            operations.begin(() -> servers.permit(lock, left));
            return new Struck(lock, () -> operations.takeBack(() -> servers.permit(lock, Permission.ALL)));
        });
    }

    private Strike spaceUsedUp() {
        return () -> {
            operations.begin(() -> servers.useUpSpace(true));
            return new Struck("servers", () -> operations.takeBack(() -> servers.useUpSpace(false)));
        };
    }

    /** Twice: the first do not last, so whoever has not seen the second cannot connect any more. */
    private Disruption certificatesRenewed() {
        Duration lasts = spans.between(1.1, 2.2);
        return new Disruption("certificates renewed", lasts, Costs.NO_HOLD, () -> {
            renew(lasts.minus(BEFORE_RENEWAL));
            return new Struck("servers_and_clients", () -> renew(FOR_LONG));
        });
    }

    private void renew(Duration lasting) {
        operations.begin(() -> {
            servers.renewCertificates(lasting);
            fleet.berths().stream().filter(ProcessSlot::isSecure).forEach(ProcessSlot::cut);
        });
    }
}
