package io.baton.benchmarks;

import io.baton.testkit.proxy.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Plays one row: both sides connected at the same time, warmed up, then rounds in turns. */
final class Contest {

    /** The rounds, and what the store alone allowed before them. */
    record Played(Limits limits, List<Round> rounds) {}

    /** One round of each side. */
    record Round(Outcome peer, Outcome baton) {
        double ratio() {
            return baton.perSecond() / peer.perSecond();
        }
    }

    private final Field field;
    private final Row row;
    private final Server server;

    Contest(Field field, Row row, Server server) {
        this.field = field;
        this.row = row;
        this.server = server;
    }

    Played play(int rounds, Duration time, Duration warmUp) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.address())) {
            proxy.delay(row.roundTrip().dividedBy(2));
            int port = row.roundTrip().isZero() ? server.address().getPort() : proxy.port();
            String servers = "127.0.0.1:" + port;
            Limits limits = limits(servers);
            try (Side peer = field.peer(servers, row);
                    Side baton = field.baton(servers, row)) {
                return new Played(limits, play(peer, baton, rounds, time, warmUp));
            }
        }
    }

    private Limits limits(String servers) throws Exception {
        try (RawStore raw = field.raw(servers)) {
            return Limits.of(raw);
        }
    }

    private List<Round> play(Side peer, Side baton, int rounds, Duration time, Duration warmUp) throws Exception {
        long warm = System.nanoTime() + 2 * warmUp.toNanos();
        while (System.nanoTime() - warm < 0) {
            round(peer, time);
            round(baton, time);
        }
        var played = new ArrayList<Round>();
        for (int i = 0; i < rounds; i++) {
            // Whoever comes first in one round comes second in the next.
            boolean batonFirst = i % 2 == 1;
            Outcome first = round(batonFirst ? baton : peer, time);
            Outcome second = round(batonFirst ? peer : baton, time);
            played.add(batonFirst ? new Round(second, first) : new Round(first, second));
        }
        return played;
    }

    private Outcome round(Side side, Duration time) throws Exception {
        return row.work().round(side, server, row.kind(), time);
    }
}
