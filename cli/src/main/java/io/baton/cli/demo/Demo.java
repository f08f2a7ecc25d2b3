package io.baton.cli.demo;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The whole story. */
final class Demo {

    private static final List<String> NAMES = List.of("ada", "ben", "cleo", "dan");

    private final DemoRun venue;
    private final DemoLog timeline;
    private final Claims claims = new Claims();

    Demo(String uri, Duration ttl, DemoLog timeline) {
        this.venue = new DemoRun(uri, ttl, UUID.randomUUID().toString().substring(0, 8));
        this.timeline = timeline;
    }

    /** Tells it; returns whether every claim holds. */
    boolean run() throws InterruptedException {
        timeline.line("Baton demo: " + NAMES.size() + " worker processes sell a limited stock of tickets.");
        CoordinatorOptions options =
                CoordinatorOptions.builder().client("demo").ttl(venue.ttl()).build();
        try (Coordinator baton = Coordinator.connect(venue.uri(), options)) {
            // Servers may grant no less than more, and that is how long the others wait.
            Duration granted = baton.ttl();
            timeline.line("Store " + venue.uri() + ", session ttl " + DemoLog.seconds(granted) + ".");
            var office = new DemoStore(baton, venue);
            List<DemoWorker> workers;
            try (var troupe = new Workers(NAMES, venue)) {
                workers = troupe.all();
                play(office, troupe, granted);
            } finally {
                office.tidy();
            }
            claims.check(
                    "no worker process is left",
                    workers.stream().noneMatch(DemoWorker::alive),
                    workers.stream().filter(DemoWorker::alive).count() + " of " + workers.size() + " alive");
        }
        return verdict();
    }

    private void play(DemoStore office, Workers troupe, Duration ttl) throws InterruptedException {
        List<DemoWorker> workers = troupe.all();
        timeline.line("");
        for (DemoWorker worker : workers) {
            worker.await("ready");
            timeline.say(worker.name(), "is ready, a JVM of its own (pid " + worker.pid() + ")");
        }
        new RaceAct(office, timeline, claims).play(workers);
        new LockAct(office, timeline, claims).play(workers);
        var failures = new FailureActs(office, ttl, timeline, claims);
        failures.killed(workers.get(0), workers.get(1));
        failures.frozen(workers.get(2), workers.get(3));
        new FailoverAct(office, ttl, timeline, claims).play(workers.subList(1, workers.size()));
        new ConfigAct(office, troupe.shelf(), timeline, claims)
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
