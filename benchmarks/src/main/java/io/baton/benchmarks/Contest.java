package io.baton.benchmarks;

import io.baton.testkit.proxy.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Plays one row: both sides connected at the same time, warmed up, then rounds in turns. */
final class Contest {

    /** One round of each side. */
    record Round(Outcome curator, Outcome baton) {
        double ratio() {
            return baton.perSecond() / curator.perSecond();
        }
    }

    private final Row row;
    private final ServerProcess server;

    Contest(Row row, ServerProcess server) {
        this.row = row;
        this.server = server;
    }

    List<Round> play(int rounds, Duration time, Duration warmUp) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.address())) {
            proxy.delay(row.roundTrip().dividedBy(2));
            int port = row.roundTrip().isZero() ? server.address().getPort() : proxy.port();
            String servers = "127.0.0.1:" + port;
            try (Side curator = CuratorSide.connect(servers, row.clients(), row.workers());
                    Side baton = BatonSide.releasing(row.acked()).connect(servers, row.clients(), row.workers())) {
                return play(curator, baton, rounds, time, warmUp);
            }
        }
    }

    private List<Round> play(Side curator, Side baton, int rounds, Duration time, Duration warmUp) throws Exception {
        long warm = System.nanoTime() + 2 * warmUp.toNanos();
        while (System.nanoTime() - warm < 0) {
            round(curator, time);
            round(baton, time);
        }
        var played = new ArrayList<Round>();
        for (int i = 0; i < rounds; i++) {
            // Whoever comes first in one round comes second in the next.
            boolean batonFirst = i % 2 == 1;
            Outcome first = round(batonFirst ? baton : curator, time);
            Outcome second = round(batonFirst ? curator : baton, time);
            played.add(batonFirst ? new Round(second, first) : new Round(first, second));
        }
        return played;
    }

    private Outcome round(Side side, Duration time) throws Exception {
        return row.work().round(side, server, time);
    }
}
