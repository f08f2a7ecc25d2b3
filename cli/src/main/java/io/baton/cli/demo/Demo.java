package io.baton.cli.demo;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Runs all acts of the demo. */
final class Demo {

    private static final List<String> NAMES = List.of("ada", "ben", "cleo", "dan");

    private final DemoRun demoRun;
    private final DemoLog timeline;
    private final Claims claims = new Claims();

    Demo(String uri, Duration ttl, DemoLog timeline) {
        this.demoRun = new DemoRun(uri, ttl, UUID.randomUUID().toString().substring(0, 8));
        this.timeline = timeline;
    }

    /** Runs the demo; returns whether every claim holds. */
    boolean run() throws InterruptedException {
        timeline.line("Baton demo: " + NAMES.size() + " worker processes sell a limited stock of tickets.");
        CoordinatorOptions options = CoordinatorOptions.builder()
                .client("demo")
                .ttl(demoRun.ttl())
                .acceptLoss(true) // which the URI has declared
                .build();
        try (Coordinator baton = Coordinator.connect(demoRun.uri(), options)) {
            // Servers may grant a longer ttl, and the other workers wait that long.
            Duration granted = baton.ttl();
            timeline.line("Store " + demoRun.uri() + ", session ttl " + DemoLog.seconds(granted) + ".");
            var demoStore = new DemoStore(baton, demoRun);
            List<DemoWorker> workers;
            try (var allWorkers = new Workers(NAMES, demoRun)) {
                workers = allWorkers.all();
                play(demoStore, allWorkers, granted);
            } finally {
                demoStore.tidy();
            }
            claims.check(
                    "no worker process is left",
                    workers.stream().noneMatch(DemoWorker::alive),
                    workers.stream().filter(DemoWorker::alive).count() + " of " + workers.size() + " alive");
        }
        return verdict();
    }

    private void play(DemoStore demoStore, Workers allWorkers, Duration ttl) throws InterruptedException {
        List<DemoWorker> workers = allWorkers.all();
        timeline.line("");
        for (DemoWorker worker : workers) {
            worker.await("ready");
            timeline.event(worker.name(), "is ready, a JVM of its own (pid " + worker.pid() + ")");
        }
        new RaceAct(demoStore, timeline, claims).play(workers);
        new LockAct(demoStore, timeline, claims).play(workers);
        var failures = new FailureActs(demoStore, ttl, timeline, claims);
        failures.killed(workers.get(0), workers.get(1));
        failures.frozen(workers.get(2), workers.get(3));
        new FailoverAct(demoStore, ttl, timeline, claims).play(workers.subList(1, workers.size()));
        new ConfigAct(demoStore, allWorkers.files(), timeline, claims)
                .play(workers.stream().filter(DemoWorker::alive).toList());
    }

    private boolean verdict() {
        timeline.line("");
        timeline.line("Claims, checked against what the store and the workers said:");
        timeline.line("");
        claims.all().forEach(timeline::claim);
        timeline.line("");
        long failed = claims.all().stream().filter(claim -> !claim.holds()).count();
        timeline.line(failed == 0 ? "All " + claims.all().size() + " claims hold." : failed + " claims FAILED.");
        return claims.hold();
    }
}
