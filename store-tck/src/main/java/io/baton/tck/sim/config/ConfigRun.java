package io.baton.tck.sim.config;

import io.baton.config.ConfigCommit;
import io.baton.config.LiveConfig;
import io.baton.config.LiveConfigBuilder;
import io.baton.tck.sim.lock.Interventions;
import io.baton.tck.sim.lock.SimFaults;
import io.baton.tck.sim.lock.SimulatedStore;
import io.baton.testkit.sim.SeededRun;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.testkit.sim.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * One seeded run of configuration. Several processes follow a space that is written all the time, with good and bad
 * values, while faults happen. Then the faults stop. Every follower must reach the last good state, refuse a bad one
 * after it, and reach a good one again.
 */
public final class ConfigRun implements SeededRun {

    private static final int FOLLOWERS = 3;
    private static final int SCRIBES = 2;
    private static final int LEAST_STATES = 5;
    private static final int LEAST_FAULTS = 2;
    private static final Duration FAULTS = Duration.ofSeconds(30);

    /** The time after the last fault by which all are in contact again; writes go on meanwhile. */
    private static final Duration RECOVERY = Duration.ofSeconds(20);

    private final SimulatedStore store;
    private final Simulation sim;
    private final SplittableRandom chance;
    private final SimSpace space = new SimSpace();
    private final SimFaults faults;
    private final List<Member> members = new ArrayList<>();
    private final List<SimFollower> followers = new ArrayList<>();
    private final List<SimulatedStore.Client> writing = new ArrayList<>();
    private final List<SimScribe> scribes = new ArrayList<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final Optional<SimCanaries> canaries;
    private final Optional<SimDisks> disks;
    private int number;
    private int kills;
    private int closes;

    /** A process, its client, its disk if it has one, and its follower once that has started. */
    private record Member(
            SimProcess process,
            SimulatedStore.Client client,
            Optional<SimDisks.Disk> disk,
            List<SimFollower> follower) {}

    /** Creates a run on this store; it has not started. */
    public ConfigRun(SimulatedStore store) {
        this.store = store;
        sim = store.sim();
        store.follow(SimSpace.TREE, space::committed);
        faults = new SimFaults(sim);
        store.addFaults(faults, SimSpace.TREE + ".fleet", Interventions.NONE);
        chance = sim.chance();
        for (int i = 0; i < SCRIBES; i++) {
            scribes.add(scribe("scribe" + i));
        }
        disks = chance.nextBoolean() ? Optional.of(new SimDisks(sim)) : Optional.empty();
        for (int i = 0; i < FOLLOWERS; i++) {
            members.add(member(disks.map(SimDisks::add)));
        }
        disks.ifPresent(all -> all.failUntil(FAULTS.toNanos()));
        for (int i = disks.isPresent() ? 3 : 1; i > 0; i--) {
            sim.at(chance.nextLong(FAULTS.toNanos()), this::replaceOne);
        }
        canaries = chance.nextBoolean()
                ? Optional.of(new SimCanaries(sim, space, scribe("operator"), followers))
                : Optional.empty();
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        run();
        addTo(totals);
        store.addTo(totals);
        return space.count() >= LEAST_STATES && faults.faults() >= LEAST_FAULTS;
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    private void run() {
        scribes.forEach(SimScribe::start);
        canaries.ifPresent(SimCanaries::start);
        faults.start();
        sim.runFor(FAULTS);
        faults.stop();
        store.calm();
        sim.note("test", "no more faults");
        sim.runFor(RECOVERY);
        scribes.forEach(SimScribe::stop);
        canaries.ifPresent(SimCanaries::stop);
        await("all that is written is answered", () -> scribes.stream().allMatch(SimScribe::idle));
        canaries.ifPresent(this::endCanaries);
        SimSpace.State good = write(true);
        awaitAll("everybody comes to " + good, follower -> follower.hasCome(good));
        SimSpace.State bad = write(false);
        awaitAll("everybody refuses " + bad, follower -> follower.hasRefused(bad, good));
        SimSpace.State last = write(true);
        awaitAll("everybody comes to " + last, follower -> follower.hasCome(last));
        canaries.ifPresent(this::tryCanaries);
        sim.note("test", "everybody stops");
        followers.forEach(SimFollower::close);
        sim.runFor(Duration.ofSeconds(1));
        write(true);
        sim.runFor(Duration.ofSeconds(3));
        members.forEach(member -> member.client.close().run());
        writing.forEach(each -> each.close().run());
        sim.runUntilQuiet(Duration.ofSeconds(60));
    }

    /** A canary that some instance tries ends by itself. One whose instances have all gone has to be aborted. */
    private void endCanaries(SimCanaries by) {
        await("what was done with canaries is answered", by::idle);
        space.last().canary().ifPresent(last -> {
            boolean tried = members.stream()
                    .flatMap(member -> member.follower.stream())
                    .anyMatch(follower -> last.chose(follower.name()));
            if (tried) {
                await("canary " + last.id() + " ends", () -> !stands(last.id()));
            } else {
                takeBack(by, last.id());
            }
        });
    }

    private boolean stands(String canary) {
        return space.last().canary().filter(now -> now.id().equals(canary)).isPresent();
    }

    private void takeBack(SimCanaries by, String canary) {
        await("canary " + canary + " is taken back", () -> {
            if (by.idle() && stands(canary)) {
                by.abort(canary);
            }
            return by.idle() && !stands(canary);
        });
    }

    /** A good canary becomes a change for all, and a bad one is held. */
    private void tryCanaries(SimCanaries by) {
        String good = tried(by, true);
        awaitAll("everybody tries canary " + good, follower -> follower.uses(good));
        await("canary " + good + " is promoted", () -> {
            if (by.idle() && stands(good)) {
                by.promote(good);
            }
            return by.idle() && !stands(good);
        });
        SimSpace.State promoted = space.last();
        sim.check(space.promotes(good), "canary " + good + " ended as " + promoted);
        awaitAll("everybody comes to " + promoted, follower -> follower.hasCome(promoted));
        String bad = tried(by, false);
        await(
                "canary " + bad + " is held",
                () -> space.last().canary().filter(now -> !now.held().isEmpty()).isPresent());
        by.promote(bad);
        await("an answer for canary " + bad, by::idle);
        sim.check(stands(bad), "canary " + bad + " ended, though it is held");
        takeBack(by, bad);
        awaitAll("everybody comes back to " + space.last(), follower -> follower.hasCome(space.last()));
    }

    /** Starts a canary that chooses every instance, and returns its id. */
    private String tried(SimCanaries by, boolean good) {
        await("a canary is begun for everybody", () -> isTried(by, good));
        return space.last().canary().orElseThrow().id();
    }

    private boolean isTried(SimCanaries by, boolean good) {
        Optional<SimCanary> now = space.last().canary();
        boolean byAll =
                now.filter(canary -> canary.chosen().size() == FOLLOWERS).isPresent();
        if (by.idle() && now.isEmpty()) {
            by.begin(good, 100, Duration.ofHours(1));
        } else if (by.idle() && !byAll) {
            by.abort(now.get().id());
        }
        return by.idle() && byAll;
    }

    private void addTo(Map<String, Long> totals) {
        totals.merge("faults", faults.faults(), Long::sum);
        totals.merge("steps", sim.steps(), Long::sum);
        totals.merge("states", space.count(), Long::sum);
        totals.merge(
                "states applied",
                sum(followers.stream().map(SimFollower::applied).toList()),
                Long::sum);
        totals.merge(
                "states rejected",
                sum(followers.stream().map(SimFollower::rejected).toList()),
                Long::sum);
        totals.merge(
                "resynced", sum(followers.stream().map(SimFollower::resynced).toList()), Long::sum);
        totals.merge("changes", scribes.stream().mapToLong(SimScribe::commits).sum(), Long::sum);
        totals.merge(
                "changes in doubt",
                scribes.stream().mapToLong(SimScribe::unknown).sum(),
                Long::sum);
        totals.merge("freezes", faults.freezes(), Long::sum);
        totals.merge("suspends", faults.suspends(), Long::sum);
        totals.merge("clients killed", (long) kills, Long::sum);
        totals.merge("clients closed", (long) closes, Long::sum);
        totals.merge(
                "states of canaries applied",
                sum(followers.stream().map(SimFollower::tried).toList()),
                Long::sum);
        totals.merge(
                "caches looked at",
                sum(followers.stream().map(SimFollower::cached).toList()),
                Long::sum);
        totals.merge(
                "starts from a cache",
                followers.stream().filter(SimFollower::startedFromCache).count(),
                Long::sum);
        disks.ifPresent(all -> totals.merge("disks that fail", (long) all.failures(), Long::sum));
        canaries.ifPresent(each -> each.addTo(totals));
    }

    private static long sum(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).sum();
    }

    /** Writes a change, and returns the resulting state. */
    private SimSpace.State write(boolean good) {
        long end = sim.now() + store.patience().toNanos();
        CompletableFuture<ConfigCommit> writing = scribes.get(0).commit(good);
        while (!writing.isDone() || writing.join() == null) {
            sim.check(sim.now() < end, "what is written last is never there");
            sim.runFor(Duration.ofMillis(100));
            if (writing.isDone() && writing.join() == null) {
                writing = scribes.get(0).commit(good);
            }
        }
        return space.last();
    }

    private void awaitAll(String what, Predicate<SimFollower> condition) {
        await(
                what,
                () -> members.stream()
                        .allMatch(each -> !each.follower.isEmpty() && condition.test(each.follower.get(0))));
    }

    private void await(String what, BooleanSupplier condition) {
        long end = sim.now() + store.patience().toNanos();
        while (!condition.getAsBoolean()) {
            sim.check(sim.now() < end, "it never comes about that " + what + "; " + followers);
            sim.runFor(Duration.ofMillis(100));
        }
    }

    /** One process leaves, by closing or by dying, and another joins. */
    private void replaceOne() {
        Member going = members.remove(chance.nextInt(FOLLOWERS));
        if (chance.nextBoolean()) {
            sim.note("test", going.process.name() + " closes");
            closes++;
            going.follower.forEach(SimFollower::close);
            going.client.close().run();
        } else {
            going.process.kill();
            kills++;
        }
        members.add(member(going.disk));
    }

    private SimScribe scribe(String name) {
        var process = new SimProcess(sim, name, SimulatedStore.DRIFT_PPM);
        faults.add(process);
        SimLoop thread = process.thread("user");
        SimulatedStore.Client client = store.start(process, process.thread("loop"), thread);
        writing.add(client);
        return new SimScribe(sim, space, store, process, thread, client.coordinator(), numbers);
    }

    private Member member(Optional<SimDisks.Disk> disk) {
        var process = new SimProcess(sim, "follower" + number++, SimulatedStore.DRIFT_PPM);
        faults.add(process);
        SimLoop thread = process.thread("user");
        SimulatedStore.Client client = store.start(process, process.thread("loop"), thread);
        var member = new Member(process, client, disk, new ArrayList<>());
        Duration most = Duration.ofMillis(chance.nextLong(10, 5_000));
        LiveConfigBuilder builder = LiveConfig.builder(member.client.coordinator())
                .space(SimSpace.TREE)
                .defaults(Map.of(SimSpace.NUMBER, "0", SimSpace.LEAST, "0", SimSpace.MOST, "10"))
                .instance(process.name())
                .startTimeout(most);
        disk.ifPresent(its -> builder.cache(its.cache()));
        thread.execute(() -> builder.openAsync().thenAccept(live -> {
            var follower = new SimFollower(sim, space, process, thread, live, disk);
            member.follower.add(follower);
            followers.add(follower);
        }));
        return member;
    }
}
