package io.baton.tck.sim.config;

import io.baton.OutcomeUnknownException;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigStore;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An operator that starts, promotes, aborts or abandons canaries. It checks that a canary is promoted only if each
 * chosen instance ran it after the last query for its health.
 */
final class SimCanaries {

    private static final long MILLI = 1_000_000;
    private static final int ALL = 100;

    private final Simulation sim;
    private final SimSpace space;
    private final SimScribe scribe;
    private final List<SimFollower> followers;
    private final SplittableRandom chance;
    private final Set<String> inDoubt = new HashSet<>();
    private final Set<String> promoted = new HashSet<>();
    private final Set<String> toldPromoted = new HashSet<>();
    /** The instances that have used the canary since its last health query. */
    private final Set<String> answered = new HashSet<>();

    private String asked = "";
    private int judged;
    private int underWay;
    private int begun;
    private int refused;
    private boolean stopped;

    /** Creates an operator that writes as this scribe; {@code followers} may grow. */
    SimCanaries(Simulation sim, SimSpace space, SimScribe scribe, List<SimFollower> followers) {
        this.sim = sim;
        this.space = space;
        this.scribe = scribe;
        this.followers = followers;
        this.chance = sim.chance();
        sim.afterEveryStep(this::check);
    }

    void start() {
        sim.at(sim.now() + chance.nextLong(300, 4_000) * MILLI, () -> {
            if (!stopped) {
                act();
                start();
            }
        });
    }

    void stop() {
        stopped = true;
    }

    /** Whether the outcomes of all its requests are known. */
    boolean idle() {
        return underWay == 0;
    }

    /** Adds its event counts. */
    void addTo(Map<String, Long> totals) {
        totals.merge("canaries", (long) begun, Long::sum);
        totals.merge("canaries promoted", (long) judged, Long::sum);
        totals.merge("canaries not promoted", (long) refused, Long::sum);
    }

    private void act() {
        Optional<SimCanary> canary = space.last().canary();
        if (canary.isEmpty()) {
            int percent = chance.nextBoolean() ? ALL : chance.nextInt(1, ALL);
            begin(chance.nextInt(4) > 0, percent, Duration.ofMillis(chance.nextLong(500, 20_000)));
            return;
        }
        String id = canary.get().id();
        switch (chance.nextInt(6)) {
            case 0 -> abort(id);
            case 1 -> reject(id);
            case 2 -> {}
            default -> promote(id);
        }
    }

    private void reject(String id) {
        List<SimFollower> there =
                followers.stream().filter(SimFollower::follows).toList();
        if (!there.isEmpty()) {
            there.get(chance.nextInt(there.size())).reject(id);
        }
    }

    /** Starts a canary. Completes with its id, or with null if it was not started, as far as that is known. */
    CompletableFuture<@Nullable String> begin(boolean good, int percent, Duration lasts) {
        Map<String, String> texts = scribe.all(good);
        return done(
                store -> SimScribe.edit(store, texts)
                        .author("operator")
                        .canaryAsync(Map.of(), percent, lasts)
                        .thenApply(canary -> {
                            begun++;
                            return canary.id();
                        }),
                (id, failure) -> scribe.note("canary " + texts + ": " + (failure == null ? id : failure)));
    }

    /** Promotes a canary. Completes with the commit, or with null if it was not promoted, as far as that is known. */
    CompletableFuture<@Nullable ConfigCommit> promote(String id) {
        return done(store -> store.promoteAsync(id), (commit, failure) -> {
            scribe.note("promotes canary " + id + ": " + (failure == null ? commit : failure));
            if (commit != null) {
                SimSpace.State there = space.at(commit.revision());
                sim.check(
                        there.change() == commit.change() && promoted.contains(id),
                        "canary " + id + " was told as promoted by " + commit + ", and there was " + there);
                toldPromoted.add(id);
            } else if (failure instanceof OutcomeUnknownException) {
                inDoubt.add(id);
            } else {
                refused++;
                // Of two concurrent requests only one promotes it; the other may find it promoted already.
                sim.check(
                        !promoted.contains(id) || toldPromoted.contains(id) || inDoubt.contains(id) || underWay > 0,
                        "canary " + id + " was told as not promoted: " + failure);
            }
        });
    }

    /** Aborts a canary; completes when that has succeeded or failed. */
    CompletableFuture<@Nullable Void> abort(String id) {
        return done(
                store -> store.abortAsync(id),
                (nothing, failure) ->
                        scribe.note("takes canary " + id + " back: " + (failure == null ? "done" : failure)));
    }

    private interface Request<T> {
        CompletableFuture<T> send(ConfigStore store);
    }

    private <T> CompletableFuture<@Nullable T> done(
            Request<T> request, BiConsumer<@Nullable T, @Nullable Throwable> told) {
        var done = new CompletableFuture<@Nullable T>();
        underWay++;
        scribe.execute(store -> request.send(store).whenComplete((value, failure) -> {
            underWay--;
            Throwable cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
            scribe.guard(() -> told.accept(value, cause));
            done.complete(value);
        }));
        return done;
    }

    private void check() {
        List<SimSpace.Promotion> promotions = space.promotions();
        while (judged < promotions.size()) {
            judge(promotions.get(judged++));
        }
        space.last().canary().filter(canary -> canary.asked() > 0).ifPresent(this::look);
    }

    private void look(SimCanary canary) {
        if (!asked.equals(name(canary))) {
            asked = name(canary);
            answered.clear();
        }
        for (SimFollower each : followers) {
            if (canary.chose(each.name()) && each.uses(canary.id())) {
                answered.add(each.name());
            }
        }
    }

    private static String name(SimCanary canary) {
        return canary.id() + " asked " + canary.asked();
    }

    private void judge(SimSpace.Promotion promotion) {
        SimCanary canary = promotion.canary();
        promoted.add(canary.id());
        sim.check(canary.held().isEmpty(), "promoted, though it is held: " + canary);
        sim.check(
                canary.untouched(promotion.before().values()),
                "promoted, though a key of it was written since: " + promotion);
        sim.check(
                promotion.after().texts().equals(promotion.before().tried().texts()),
                "promoted as something else: " + promotion);
        sim.check(
                asked.equals(name(canary))
                        && answered.containsAll(canary.chosen().values()),
                "promoted, though only " + answered + " have run it since " + asked + ": " + canary);
    }
}
