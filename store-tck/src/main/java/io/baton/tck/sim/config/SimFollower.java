package io.baton.tck.sim.config;

import io.baton.config.Binding;
import io.baton.config.ConfigEvent;
import io.baton.config.ConfigSnapshot;
import io.baton.config.ConfigSource;
import io.baton.config.ConfigStatus;
import io.baton.config.ConfigValue;
import io.baton.config.KeyChange;
import io.baton.config.ListenerOptions;
import io.baton.config.LiveConfig;
import io.baton.config.Rejection;
import io.baton.recipe.Callbacks;
import io.baton.tck.sim.lock.LockTruth.Written;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows and binds the space, and checks invariants after every step. Values in use were in the store, are later than
 * those in use before, are good, and have one revision. Listeners are called in order, and find in use what they
 * receive.
 */
final class SimFollower {

    private final Simulation sim;
    private final SimSpace space;
    private final Optional<SimDisks.Disk> disk;
    private final SimProcess process;
    private final SimLoop thread;
    private final LiveConfig live;
    private final SortedMap<String, String> told = new TreeMap<>();
    private final SortedMap<String, String> toldLatest = new TreeMap<>();
    private final Binding<Integer> number;
    private final Binding<Limits> limits;
    private @Nullable ConfigSnapshot seen;
    private boolean seenWithCanary;
    private @Nullable Limits limitsTold;
    private @Nullable Throwable broken;
    private long toldRevision = Long.MIN_VALUE;
    private long latestRevision = Long.MIN_VALUE;
    private boolean begun;
    private boolean closed;
    private boolean closing;
    private boolean rejects;
    private final boolean fromCache;
    private boolean kept = true;
    private long inUseSince;
    private long pauses;
    private long pausesAtFailure = -1;
    private long cached;
    private long applied;
    private long tried;
    private long rejected;
    private long resynced;

    /** The bound type; valid if {@code least} is not above {@code most}. */
    record Limits(int least, int most) {}

    /**
     * Follows a space that was just opened, in a callback on this thread of the process. Its values may be bad. The
     * values in use are then those of the cache, or none of the store's, as callbacks do not wait for the history.
     */
    SimFollower(
            Simulation sim,
            SimSpace space,
            SimProcess process,
            SimLoop thread,
            LiveConfig live,
            Optional<SimDisks.Disk> disk) {
        this.sim = sim;
        this.disk = disk;
        this.space = space;
        this.process = process;
        this.thread = thread;
        this.live = live;
        number = live.bind(SimSpace.NUMBER, Integer.class);
        limits = live.binding("limits", Limits.class)
                .validate(each -> SimSpace.inOrder(each.least(), each.most()), "limits must not be upside down")
                .prepare(this::prepare)
                .bind();
        fromCache = live.snapshot().source() == ConfigSource.CACHED;
        thread.note("binds " + limits.get() + ", " + live.snapshot().source());
        must(
                live.snapshot().source() != ConfigSource.BUNDLED
                        || live.status().rejection().isPresent()
                        || live.status().seen().revision() == 0,
                "begins without the store, and does not say why");
        begun = true;
        sim.afterEveryStep(this::check);
        limits.onChange((before, now, changes) -> guard(() -> changed(before, now, changes)));
        live.onEvent(event -> guard(() -> happened(event)));
        live.onPrefix("", ListenerOptions.named("all"), (changes, revision) -> guard(() -> changed(changes, revision)));
        live.onPrefix(
                "",
                ListenerOptions.named("latest").latest(),
                (changes, revision) -> guard(() -> latest(changes, revision)));
    }

    private void prepare(Limits candidate) {
        if (begun) {
            guard(this::checkTogether);
        }
        if (!SimSpace.liked(candidate.least())) {
            throw new IllegalStateException(candidate.least() + " is not liked");
        }
    }

    // ---- events

    private void changed(List<KeyChange> changes, long revision) {
        thread.note("is told " + changes + " at " + revision);
        must(revision >= toldRevision || tries(), "was told of " + revision + " after " + toldRevision);
        toldRevision = revision;
        apply(changes, told);
        checkTold(told, revision);
        checkInUse(revision);
    }

    private void latest(List<KeyChange> changes, long revision) {
        must(revision >= latestRevision || tries(), "was told of " + revision + " after " + latestRevision);
        latestRevision = revision;
        apply(changes, toldLatest);
        checkTold(toldLatest, revision);
        checkInUse(revision);
    }

    private void apply(List<KeyChange> changes, SortedMap<String, String> to) {
        must(!closed, "was told " + changes + " after its end");
        for (KeyChange change : changes) {
            must(
                    change.before().equals(Optional.ofNullable(to.get(change.key()))),
                    "was told " + change + ", and knew of " + to.get(change.key()));
            change.now().ifPresentOrElse(now -> to.put(change.key(), now), () -> to.remove(change.key()));
        }
    }

    private void checkTold(SortedMap<String, String> values, long revision) {
        SimSpace.State there = space.at(revision);
        must(
                values.equals(there.texts())
                        || (there.chose(process.name())
                                && values.equals(there.tried().texts())),
                "was told of revision " + revision + " as " + values + ", which was " + there);
    }

    /** Whether the instance was ever chosen for a canary; leaving one may lead back to an earlier state. */
    private boolean tries() {
        return space.everChose(process.name());
    }

    private void checkInUse(long revision) {
        must(
                live.snapshot().position().revision() >= revision || tries(),
                "was told of revision " + revision + " while that was not in use");
    }

    private void changed(Optional<Limits> before, Limits now, List<KeyChange> changes) {
        thread.note("is told " + now + ", by " + changes);
        must(!closed, "was told " + now + " after its end");
        must(
                before.equals(Optional.ofNullable(limitsTold)),
                "was told of a change from " + before + ", not " + limitsTold);
        must(before.isEmpty() || !before.get().equals(now), "was told of " + now + " twice");
        limitsTold = now;
        must(SimSpace.inOrder(now.least(), now.most()) && SimSpace.liked(now.least()), "was told of " + now);
        must(tries() || !isBefore(limits.get(), now), "was told of " + now + " while that was not in use");
    }

    /** Whether every occurrence of one in the store precedes the other. */
    private boolean isBefore(Limits one, Limits other) {
        return space.since(one.least()) < space.since(other.least());
    }

    private void happened(ConfigEvent event) {
        thread.note("is told " + event);
        must(!closed, "was told " + event + " after its end");
        if (event instanceof ConfigEvent.Rejected it) {
            rejected++;
            checkRejection(it.rejection());
        } else if (event instanceof ConfigEvent.Recovered it) {
            SimSpace.State by = space.at(it.revision());
            must(by.good() || (by.chose(process.name()) && by.tried().good()), "recovers by " + by);
        } else if (event instanceof ConfigEvent.Resynced it) {
            resynced++;
            it.differences().forEach(each -> checkDifference(each, it.at().revision()));
        } else if (event instanceof ConfigEvent.Rewound) {
            must(false, "was told of a rewind: " + event);
        }
    }

    private void checkRejection(Rejection why) {
        SimSpace.State there = space.at(why.revision());
        boolean ofCanary = there.chose(process.name())
                && why.reason()
                        .startsWith("canary " + there.canary().orElseThrow().id());
        must(ofCanary ? rejects || !there.tried().good() : !there.good(), "rejects " + there + ": " + why);
    }

    private void checkDifference(KeyChange each, long at) {
        Optional<String> there = Optional.ofNullable(space.at(at).texts().get(each.key()));
        must(each.now().equals(there), "was told of " + each + " at " + at + ", where it was " + there);
    }

    // ---- checks

    /** Another object is another state, perhaps with the same values. */
    @SuppressWarnings("ReferenceEquality")
    private void check() {
        if (broken != null) {
            throw new AssertionError(broken.getMessage(), broken);
        }
        ConfigSnapshot now = live.snapshot();
        if (now != seen && !process.dead() && !closed) {
            checkSnapshot(now);
            checkTogether();
            seen = now;
            seenWithCanary = live.status().canary().isPresent();
            kept = false;
            inUseSince = sim.now();
            pauses = process.pauses();
        }
        if (disk.isPresent() && disk.get().fails()) {
            pausesAtFailure = process.pauses();
        }
        if (!kept && now == seen) {
            checkCache(now);
        }
    }

    /** Values in use for a while are in the cache, if all bindings accept them and the process was not stopped. */
    private void checkCache(ConfigSnapshot now) {
        boolean runs = follows() && !process.paused() && process.pauses() == pauses;
        // The process's own clock schedules the retry after a failure; it stands still while suspended.
        runs &= pausesAtFailure < 0 || process.pauses() == pausesAtFailure;
        if (disk.isEmpty()
                || !runs
                || now.source() != ConfigSource.LIVE
                || live.status().canary().isPresent()) {
            kept = true;
        } else if (disk.get().mustHave(inUseSince)) {
            kept = true;
            cached++;
            must(
                    disk.get().revision() == now.position().revision(),
                    "has revision " + disk.get().revision() + " in its cache, and uses " + now);
        }
    }

    private void checkSnapshot(ConfigSnapshot now) {
        ConfigSnapshot before = seen;
        must(
                now.source() == ConfigSource.LIVE || before == null || before.source() != ConfigSource.LIVE,
                "went back to " + now.source());
        if (now.source() == ConfigSource.BUNDLED) {
            return;
        }
        must(now.source() == ConfigSource.LIVE || disk.isPresent(), "has a cache, and no disk");
        applied++;
        long revision = now.position().revision();
        SimSpace.State there = inUse(space.at(revision));
        SortedMap<String, Written> values = values(now);
        there.values().forEach((key, its) -> {
            if (its.revision() == 0) {
                values.computeIfPresent(key, (any, used) -> new Written(used.value(), 0));
            }
        });
        must(
                values.equals(there.values()) && now.change() == there.change(),
                "uses " + now + ", and there was " + there);
        must(there.good(), "uses " + there + ", which is bad");
        if (before != null && before.source() == ConfigSource.LIVE) {
            must(
                    before.position().revision() <= revision || mayGoBackFrom(before),
                    "went back from " + before.position() + " to " + now.position());
        }
    }

    /** A canary that hid bad values of all may lead back to earlier ones as it ends; nothing else does. */
    private boolean mayGoBackFrom(ConfigSnapshot before) {
        return seenWithCanary && !space.at(before.position().revision()).good();
    }

    /** This state as an instance with this one's canary sees it. */
    private SimSpace.State inUse(SimSpace.State there) {
        Optional<String> canary = live.status().canary();
        if (canary.isEmpty()) {
            return there;
        }
        must(
                there.chose(process.name()) && there.canary().orElseThrow().id().equals(canary.get()),
                "uses canary " + canary.get() + " at " + there);
        tried++;
        return there.tried();
    }

    private void checkTogether() {
        if (!closed) {
            int inUse = live.snapshot()
                    .value(SimSpace.NUMBER)
                    .map(value -> Integer.parseInt(value.text()))
                    .orElse(0);
            must(
                    number.get() == inUse && limits.get().least() == inUse,
                    "uses together number " + number.get() + " and " + limits.get() + " and " + live.snapshot());
        }
    }

    /** Whether it has reached this state and called all its listeners. */
    boolean hasCome(SimSpace.State to) {
        Limits wanted = new Limits(to.number(SimSpace.LEAST), to.number(SimSpace.MOST));
        ConfigStatus status = live.status();
        return values(live.snapshot()).equals(to.values())
                && live.snapshot().change() == to.change()
                && told.equals(to.texts())
                && toldLatest.equals(to.texts())
                && wanted.equals(limitsTold)
                && status.canary().isEmpty()
                && status.healthy();
    }

    /** Whether it has refused the state {@code last} and uses {@code used}. */
    boolean hasRefused(SimSpace.State last, SimSpace.State used) {
        ConfigStatus status = live.status();
        return status.rejection().isPresent()
                && status.rejection().get().revision() >= last.revision()
                && status.seenChange() == last.change()
                && status.appliedChange() == used.change()
                && !status.healthy()
                && values(live.snapshot()).equals(used.values())
                && told.equals(used.texts());
    }

    /** Stops following. */
    void close() {
        closing = true;
        thread.execute(() -> {
            // Otherwise it would wait for its cache by the clock of this machine.
            Callbacks.within(live::close);
            closed = true;
        });
    }

    /** Whether its process runs and the follower was not closed. */
    boolean follows() {
        return !closing && !process.dead();
    }

    /** The name of the instance. */
    String name() {
        return process.name();
    }

    /** Whether it runs now, with this canary. */
    boolean uses(String canary) {
        return follows() && !process.paused() && live.status().canary().equals(Optional.of(canary));
    }

    /** Rejects this canary. */
    void reject(String canary) {
        rejects = true;
        thread.execute(() -> live.rejectCanary(canary, "on purpose"));
    }

    long applied() {
        return applied;
    }

    /** Whether it started from a cache of an earlier process. */
    boolean startedFromCache() {
        return fromCache;
    }

    /** The number of checks of its cache. */
    long cached() {
        return cached;
    }

    /** How often a state of a canary came into use. */
    long tried() {
        return tried;
    }

    long rejected() {
        return rejected;
    }

    long resynced() {
        return resynced;
    }

    private static SortedMap<String, Written> values(ConfigSnapshot snapshot) {
        SortedMap<String, Written> values = new TreeMap<>();
        for (ConfigValue value : snapshot.values().values()) {
            values.put(value.key(), new Written(value.text(), value.revision()));
        }
        return values;
    }

    private void must(boolean claim, String otherwise) {
        if (!claim) {
            throw new AssertionError(process.name() + " " + otherwise);
        }
    }

    /** Runs a callback; an exception fails the run, though callbacks may throw. */
    private void guard(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error thrown) {
            broken = broken == null ? thrown : broken;
        }
    }

    @Override
    public String toString() {
        return process.name() + " uses " + live.snapshot() + ", was told " + told + " and " + toldLatest + " and "
                + limitsTold + "; " + live.status();
    }
}
