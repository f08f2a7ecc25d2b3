package io.baton.benchmarks;

import io.baton.benchmarks.Played.Round;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Plays one row: both sides connected at the same time, warmed up, then rounds in turns. */
final class Contest {

    private final Setup setup;
    private final Row row;
    private final Server server;

    Contest(Setup setup, Row row, Server server) {
        this.setup = setup;
        this.row = row;
        this.server = server;
    }

    Played play(int rounds, Duration time, Duration warmUp) throws Exception {
        try (SlowNetwork network = new SlowNetwork(server, row.roundTrip())) {
            Duration alone = warmUp.dividedBy(4);
            Limits limits = limits(network.servers(), warmUp);
            try (Clients peer = setup.clients(setup.peerSide(), network.servers(), row, server, alone);
                    Clients baton = setup.clients(Setup.BATON, network.servers(), row, server, alone)) {
                return new Played(row, limits, play(peer, baton, rounds, time, warmUp));
            }
        }
    }

    private Limits limits(String servers, Duration most) throws Exception {
        try (RawStore raw = setup.field().raw(servers)) {
            return Limits.of(raw, most);
        }
    }

    private List<Round> play(Clients peer, Clients baton, int rounds, Duration time, Duration warmUp) throws Exception {
        long warm = System.nanoTime() + 2 * warmUp.toNanos();
        while (System.nanoTime() - warm < 0) {
            peer.round(time);
            baton.round(time);
        }
        var played = new ArrayList<Round>();
        for (int i = 0; i < rounds; i++) {
            // Whoever comes first in one round comes second in the next.
            boolean batonFirst = i % 2 == 1;
            Outcome first = (batonFirst ? baton : peer).round(time);
            Outcome second = (batonFirst ? peer : baton).round(time);
            played.add(batonFirst ? new Round(second, first) : new Round(first, second));
        }
        return played;
    }
}
