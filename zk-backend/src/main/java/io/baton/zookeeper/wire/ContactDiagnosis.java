package io.baton.zookeeper.wire;

import io.baton.StoreUnavailableException;
import io.baton.spi.Loop;
import io.baton.spi.support.Background;
import io.baton.spi.support.Pauses;
import io.baton.zookeeper.wire.Diagnosis.Kind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * Finds out why an own handle has no contact. It probes all servers once a break lasts, and then periodically. Before
 * the first contact, servers with a wrong configuration end the attempt. After it, they may recover. It runs on the
 * loop; the probes block and have a thread for each server.
 */
final class ContactDiagnosis {

    /** How long a first contact may take before the servers are probed. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    /** The results of one round. */
    private record Round(int contact, Map<ServerAddress, Optional<Diagnosis>> said) {}

    private final Loop loop;
    private final ZkAddress address;
    private final List<ServerAddress> servers;
    private final Optional<Tls> tls;
    private final Duration period;
    private final ZkWire.Events events;
    private boolean made;
    private boolean closed;
    private int contact;
    private int rounds;

    /** Why there is no contact with each server, as far as known. */
    private final Map<ServerAddress, String> troubles = new LinkedHashMap<>();

    ContactDiagnosis(Loop loop, ZkAddress address, Optional<Tls> tls, Duration timeout, ZkWire.Events events) {
        this.loop = loop;
        this.address = address;
        this.servers = ServerAddress.of(address.hosts());
        this.tls = tls;
        Duration quarter = timeout.dividedBy(4);
        this.period = quarter.compareTo(PATIENCE) > 0 ? quarter : PATIENCE;
        this.events = events;
        later(PATIENCE);
    }

    void connected() {
        made = true;
        contact++;
        rounds = 0;
        troubles.clear();
    }

    void disconnected() {
        contact++;
        rounds = 0;
        later(period);
    }

    void close() {
        closed = true;
    }

    private void later(Duration pause) {
        int now = contact;
        loop.after(pause, () -> {
            if (!stale(now)) {
                ask(new Round(now, new LinkedHashMap<>()));
            }
        });
    }

    /** Many clients ask at once, and with TLS that is much work for servers that are nearly back. */
    private Duration pause() {
        Duration growing = Pauses.afterRefusals(rounds++, loop);
        return growing.compareTo(period) > 0 ? growing : period;
    }

    private boolean stale(int then) {
        return closed || then != contact;
    }

    private void ask(Round round) {
        boolean known = made;
        for (ServerAddress server : servers) {
            boolean asked = Background.start("baton-zk-diagnosis", () -> {
                        Optional<Diagnosis> said = said(server, known);
                        runOnLoop(() -> probed(round, server, said));
                    })
                    .isPresent();
            if (!asked) {
                loop.execute(() -> probed(round, server, Optional.empty()));
            }
        }
    }

    private Optional<Diagnosis> said(ServerAddress server, boolean known) {
        try {
            return new ServerProbe(server, tls, known).ask();
        } catch (Throwable broken) {
            // For example, of a trust store that cannot be opened now.
            return Optional.of(new Diagnosis(server + " cannot be asked (" + broken.getMessage() + ")", Kind.AWAY));
        }
    }

    private void runOnLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException over) {
            // The coordinator has been closed, so the result has no use.
        }
    }

    private void probed(Round round, ServerAddress server, Optional<Diagnosis> said) {
        if (stale(round.contact())) {
            return;
        }
        round.said().put(server, said);
        said.ifPresentOrElse(wrong -> troubles.put(server, wrong.text()), () -> troubles.remove(server));
        events.trouble(troubles.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", troubles.values())));
        if (round.said().size() == servers.size()) {
            Optional<String> hopeless = made ? Optional.empty() : hopeless(round);
            hopeless.ifPresentOrElse(
                    why -> events.closed(new StoreUnavailableException("cannot connect to " + address + ": " + why)),
                    () -> later(pause()));
        }
    }

    /**
     * Returns what must change, if no server may recover by itself. A missing server may come back, but another one's
     * wrong configuration would remain.
     */
    private static Optional<String> hopeless(Round round) {
        boolean hope = round.said().values().stream()
                .anyMatch(said -> said.isEmpty() || said.get().kind() == Kind.AILING);
        return hope
                ? Optional.empty()
                : round.said().values().stream()
                        .flatMap(Optional::stream)
                        .filter(said -> said.kind() == Kind.WRONG)
                        .map(Diagnosis::text)
                        .reduce((one, other) -> one + "; " + other);
    }
}
