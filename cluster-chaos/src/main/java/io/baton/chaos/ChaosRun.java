package io.baton.chaos;

import io.baton.chaos.check.Checker;
import io.baton.chaos.check.RunHistory;
import io.baton.chaos.fleet.ClientFleet;
import io.baton.chaos.history.GrantWatch;
import io.baton.chaos.history.HistoryFile;
import io.baton.chaos.history.HistoryFolder;
import io.baton.chaos.nemesis.Nemesis;
import io.baton.chaos.servers.FakeTime;
import io.baton.chaos.servers.Servers;
import java.time.Duration;
import java.util.Optional;

/** One run: servers, clients, faults, and what came of it. */
final class ChaosRun {

    /** For whoever is in the middle of something when all are told to end. */
    private static final Duration TO_END = Duration.ofSeconds(90);

    private final RunSettings settings;
    private final HistoryFolder folder;
    private final Optional<FakeTime> faketime;

    ChaosRun(RunSettings settings) {
        this.settings = settings;
        this.folder = new HistoryFolder(settings.folder());
        this.faketime = FakeTime.find(settings.folder());
    }

    /** Plays it, and judges it. */
    RunReport play() throws InterruptedException {
        long began = System.nanoTime();
        String what;
        try (Servers servers = settings.store().start(faketime, settings);
                HistoryFile notes = new HistoryFile(folder.file("nemesis"))) {
            what = servers.what();
            try (ClientFleet fleet = new ClientFleet(settings.manning(), servers, faketime, folder, notes)) {
                disturb(servers, fleet, notes);
                fleet.finish(settings.bound().plus(TO_END));
            }
            new FinalInventory(servers, notes, settings).run();
        }
        RunHistory history = RunHistory.of(folder);
        return new RunReport(
                settings,
                what,
                faketime.isPresent(),
                began,
                System.nanoTime(),
                history,
                new Checker(
                                settings.bound(),
                                settings.manning().ttl(),
                                settings.store().hasTokensInOneOrder())
                        .check(history));
    }

    HistoryFolder folder() {
        return folder;
    }

    private void disturb(Servers servers, ClientFleet fleet, HistoryFile notes) throws InterruptedException {
        try (Nemesis nemesis = new Nemesis(
                servers,
                fleet,
                notes,
                new GrantWatch(folder),
                settings.manning().ttl(),
                settings.bound(),
                settings.names(),
                settings::wants,
                settings.seed())) {
            nemesis.rage(settings.length());
        }
    }
}
