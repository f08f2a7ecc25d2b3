package io.baton.tck.sim.recipes;

import io.baton.Coordinator;
import io.baton.testkit.sim.SeededRun;
import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.testkit.sim.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One seeded run of a recipe that works on records, and on one lock if need be. Several processes use it while their requests fail, and some
 * are killed, frozen and replaced. Then all is well, and everything that is still asked must be answered.
 */
abstract class RecipeRun implements SeededRun {

    static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static final int CLIENTS = 4;
    private static final Duration TROUBLE = Duration.ofSeconds(8);

    /** A request is given up after the timeout, and a change after that of its last request. */
    private static final Duration CALM = TIMEOUT.multipliedBy(8);

    /** What was sent in the time of trouble is applied by then, or never. */
    static final Duration SETTLED = TROUBLE.plus(TIMEOUT.multipliedBy(5));

    final Simulation sim;
    final SimCounts counts = new SimCounts();
    final RecordHistory history = new RecordHistory();
    final SplittableRandom chance;
    private final SimHolds holds;
    private final List<Member> members = new ArrayList<>();
    private int started;

    /** A process, and the coordinator in it. */
    static final class Member {

        final String name;
        final Coordinator baton;
        private final SimProcess process;
        private final SimRecords records;

        private Member(String name, SimProcess process, SimRecords records, Coordinator baton) {
            this.name = name;
            this.process = process;
            this.records = records;
            this.baton = baton;
        }

        boolean dead() {
            return process.dead();
        }
    }

    RecipeRun(long seed) {
        sim = new Simulation(seed);
        chance = sim.chance();
        holds = new SimHolds(sim, history, counts);
    }

    /** A new process is there. */
    abstract void begin(Member member);

    /** A process does something with the recipe. */
    abstract void act(Member member);

    /** Everything is over: checks what came of it. Returns whether enough happened. */
    abstract boolean judge();

    @Override
    public final boolean run(Map<String, Long> totals) {
        for (int i = 0; i < CLIENTS; i++) {
            start();
        }
        sim.runFor(TROUBLE);
        members.forEach(member -> member.records.trouble(false));
        holds.trouble(false);
        sim.runFor(CALM);
        boolean enough = judge();
        counts.add("steps", sim.steps());
        counts.addTo(totals);
        return enough;
    }

    @Override
    public final Trace trace() {
        return sim.trace();
    }

    private void start() {
        String name = "client" + started++;
        var process = new SimProcess(sim, name, 2_000);
        var loop = process.thread("loop");
        var records = new SimRecords(sim, history, process, loop, TIMEOUT, counts);
        var context =
                new SimRecipeContext(loop, process.thread("callbacks"), records, holds.of(process, loop), TIMEOUT);
        var member = new Member(name, process, records, context.coordinator());
        members.add(member);
        begin(member);
        actLater(member);
        disturbLater(member);
    }

    private void actLater(Member member) {
        later(Duration.ofMillis(chance.nextInt(800)), () -> {
            if (!member.dead()) {
                act(member);
                actLater(member);
            }
        });
    }

    private void disturbLater(Member member) {
        later(Duration.ofMillis(chance.nextInt(2_000)), () -> {
            if (member.dead()) {
                return;
            }
            member.records.trouble(chance.nextInt(3) > 0);
            int what = chance.nextInt(20);
            if (what == 0) {
                counts.add("clients killed");
                member.process.kill();
                start();
            } else if (what < 3) {
                counts.add("freezes");
                member.process.freeze(Duration.ofMillis(chance.nextInt(3_000)));
            }
            disturbLater(member);
        });
    }

    /** The processes that have not been killed. */
    final List<Member> living() {
        return members.stream().filter(each -> !each.dead()).toList();
    }

    /** Runs the task after this time, if it is still the time of trouble. */
    final void later(Duration delay, Runnable task) {
        if (sim.now() + delay.toNanos() < TROUBLE.toNanos()) {
            sim.after(delay, task);
        }
    }
}
