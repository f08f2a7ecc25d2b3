package io.baton.config.internal;

import io.baton.Item;
import io.baton.Position;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.config.ConfigEvent;
import io.baton.config.ConfigException;
import io.baton.config.ConfigSnapshot;
import io.baton.config.ConfigSource;
import io.baton.config.ConfigValue;
import io.baton.config.LiveConfig;
import io.baton.config.Rejection;
import io.baton.config.UnknownFields;
import io.baton.config.internal.active.ActiveConfig;
import io.baton.config.internal.active.Bindings;
import io.baton.config.internal.active.Cached;
import io.baton.config.internal.active.CandidateState;
import io.baton.config.internal.active.Current;
import io.baton.config.internal.active.EarlierStates;
import io.baton.config.internal.active.Events;
import io.baton.config.internal.active.LastGood;
import io.baton.config.internal.active.ListenerDispatcher;
import io.baton.config.internal.active.Outcomes;
import io.baton.config.internal.active.Undoing;
import io.baton.config.internal.cache.CacheFile;
import io.baton.config.internal.cache.CacheWriter;
import io.baton.config.internal.follow.Follower;
import io.baton.config.internal.follow.StoreState;
import io.baton.config.internal.follow.StoreUpdate;
import io.baton.config.internal.follow.UpdateQueue;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.Differences;
import io.baton.config.internal.record.FleetState;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.internal.record.Space;
import io.baton.config.internal.record.SpaceHead;
import io.baton.config.internal.rollout.CanaryChoice;
import io.baton.config.internal.rollout.CanaryClock;
import io.baton.config.internal.rollout.CanaryEnd;
import io.baton.config.internal.rollout.CanaryHold;
import io.baton.config.internal.rollout.FleetEntry;
import io.baton.config.internal.store.Await;
import io.baton.config.values.Bundled;
import io.baton.config.values.Converters;
import io.baton.config.values.SecretPaths;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import io.baton.recipe.ListenerQueue;
import io.baton.recipe.RecipeContext;
import io.baton.spi.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** One configuration at work: assembles its parts, and orders start and end. */
public final class LiveConfigEngine implements DefaultLiveConfig.Following, Outcomes, Bindings.Owner {

    /** The time after opening within which a service makes its bindings. */
    private static final Duration START = Duration.ofMinutes(1);

    /** The limit of one attempt to take a canary back; another follows later. */
    private static final Duration TAKING_BACK = Duration.ofSeconds(30);

    private final ConfigSpace store;
    private final Settings settings;
    private final Optional<Cached> cached;
    private final Optional<CacheWriter> cache;
    private final LastGood lastGood;
    private final Current inUse;
    private final Events events;
    private final RevisionWaiters awaited;
    private final Reports reports;
    private final ConfigTelemetry telemetry;
    private final Follower follower;
    private final Applier applier;
    private final ListenerQueue<StoreUpdate> updates;
    private final Space space;
    private final CanaryHold hold;
    private final CanaryClock canaryClock;
    private final CanaryChoice canaries;
    private final Optional<FleetEntry> fleet;
    private final DefaultLiveConfig config;
    private final CompletableFuture<LiveConfig> opened = new CompletableFuture<>();
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile String approved = "";
    private volatile long answered;
    private volatile Loop.Timer late = () -> {};
    private volatile Loop.Timer startOver = () -> {};
    private volatile Subscription followed = () -> {};

    /** The settings that the builder has collected. */
    public record Settings(
            ConfigSpace store,
            String prefix,
            Bundled bundled,
            SecretPaths secrets,
            UnknownFields unknown,
            Converters converters,
            Duration startTimeout,
            ConfigSource least,
            Optional<CacheFile> cache,
            Duration maxCacheAge,
            Optional<String> instance,
            Map<String, String> labels,
            boolean approvesCanaries) {}

    private LiveConfigEngine(Settings settings, Optional<Cached> cached) {
        this.store = settings.store();
        this.settings = settings;
        this.cached = cached;
        inUse = new Current(
                ActiveConfig.of(CandidateState.bundled(), settings.bundled().with(FrozenMap.empty())));
        lastGood = new LastGood(cached);
        space = new Space(store);
        events = new Events(store.loop(), store.callbacks());
        canaryClock = new CanaryClock(store.loop(), this::canaryEnded);
        awaited = new RevisionWaiters(() -> inUse.get().snapshot().position().revision());
        reports = new Reports(store.tree(), store.loop(), events);
        telemetry = new ConfigTelemetry(store, inUse, this::seen, this::unconfirmedFor);
        hold = new CanaryHold(store);
        fleet = settings.instance().map(id -> FleetEntry.open(store, id, settings.labels()));
        canaries = new CanaryChoice(fleet, scope(), hold, canaryClock);
        cache = settings.cache()
                .map(file -> new CacheWriter(
                        store.loop(), store.callbacks(), (now, atTheEnd) -> file.write(kept(now), atTheEnd)));
        applier = new Applier(inUse, earlier(), parts(), this::resumeUpdates);
        updates = ListenerQueue.withContinuations(store.callbacks(), applier, new UpdateQueue());
        follower = new Follower(store.loop(), before(), updates::offer, telemetry::confirmed, this::followingEnded);
        var means = new ListenerDispatcher.Means(store.loop(), store.callbacks(), this::onEvent);
        var bindings = new Bindings(inUse, settings.bundled(), settings.secrets(), means, this);
        config = new DefaultLiveConfig(
                inUse, bindings, events, awaited, settings.unknown(), settings.converters(), this);
    }

    /** Returns the store's position when the cache was written. */
    private Position before() {
        return cached.map(Cached::at).orElse(CandidateState.NOWHERE);
    }

    /** Returns the state to compare the store with, without values of a canary, which are not the store's own. */
    private StoreState earlier() {
        FrozenMap<ConfigValue> values = cached.filter(kept -> kept.canary().isEmpty())
                .map(Cached::values)
                .orElse(FrozenMap.empty());
        return StoreState.of(before(), values, SpaceHead.NONE);
    }

    /** Values from an earlier process keep their age when they are written again. */
    private Cached kept(ActiveConfig now) {
        Instant written = now.snapshot().source() == ConfigSource.CACHED
                ? cached.map(Cached::written).orElseGet(this::now)
                : now();
        return Cached.of(store.tree(), settings.prefix(), now, written);
    }

    private Instant now() {
        return Instant.ofEpochMilli(store.loop().wallMillis());
    }

    private StoreState.Scope scope() {
        return new StoreState.Scope(settings.prefix(), settings.secrets()::contains);
    }

    private Applier.Parts parts() {
        return new Applier.Parts(store.loop(), settings.bundled(), settings.secrets(), scope(), canaries, this);
    }

    /** Starts to follow. */
    public static LiveConfigEngine begin(Settings settings) {
        Optional<Cached> cached =
                settings.cache().flatMap(file -> file.read(settings.store().tree(), settings.prefix()));
        LiveConfigEngine run = new LiveConfigEngine(settings, cached);
        run.telemetry.begin();
        run.late = run.store.loop().after(settings.startTimeout(), run::late);
        run.followed = run.store.follow(run.follower);
        run.startOver = run.store.loop().after(counted(settings.startTimeout()).plus(START), run::started);
        return run;
    }

    /** Returns the same, or the longest that clocks can count, to which more can be added. */
    private static Duration counted(Duration time) {
        return Duration.ofNanos(TimeUnit.NANOSECONDS.convert(time));
    }

    public DefaultLiveConfig config() {
        return config;
    }

    /** Waits until there are values to start with. */
    public LiveConfig awaitOpened() throws InterruptedException {
        return Await.decided(store.loop(), opened);
    }

    /**
     * Completes once there are values to start with, for a user, on a callback thread. If the user gives it up before
     * that, the configuration is closed.
     */
    public CompletableFuture<LiveConfig> openedForUser() {
        CompletableFuture<LiveConfig> users = store.callbacks().completeInCallback(opened);
        Futures.onDone(users, (given, failure) -> {
            if (given != config) {
                var unused = config.end();
            }
        });
        return users;
    }

    private void late() {
        if (!store.callbacks().run(this::startFromCache)) {
            followingEnded();
        }
    }

    /** Runs if the store has not answered in time, or what it has cannot be read. */
    private void startFromCache() {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        late.cancel();
        if (awaitsValues(inUse.get())) {
            cached.filter(this::reportedAsNewEnough).ifPresent(this::startWith);
        }
        if (inUse.get().snapshot().source().compareTo(settings.least()) <= 0) {
            begin();
        } else {
            fail();
        }
    }

    private static boolean awaitsValues(ActiveConfig state) {
        return state.snapshot().source() == ConfigSource.BUNDLED && !state.closed();
    }

    private void fail() {
        ActiveConfig now = inUse.get();
        boolean failed = opened.completeExceptionally(new ConfigException("configuration " + store.tree()
                + " would start "
                + now.snapshot().source() + ", but must be " + settings.least() + ": "
                + (now.rejection().isPresent() ? "what the store has is rejected, " + now.whyRejected() : noAnswer())));
        if (failed) {
            config.close();
        }
    }

    private String noAnswer() {
        return "the store has not answered within " + settings.startTimeout().toMillis() + " ms"
                + store.whyNoContact().map(known -> ", " + known).orElse("");
    }

    private boolean reportedAsNewEnough(Cached kept) {
        boolean good = newEnough(kept);
        reports.cache(kept, kept.age(now()), good);
        return good;
    }

    private boolean newEnough(Cached kept) {
        return kept.age(now()).compareTo(settings.maxCacheAge()) <= 0;
    }

    /** Does nothing if the store's values came into use just now. No binding exists yet that could reject these. */
    private void startWith(Cached kept) {
        ActiveConfig next =
                ActiveConfig.of(CandidateState.of(kept), settings.bundled().with(kept.values()));
        ActiveConfig was = inUse.change(state -> awaitsValues(state) ? next.rejecting(state.rejection()) : state);
        if (awaitsValues(was)) {
            Duration age = kept.age(now());
            store.loop().post(() -> follower.begin(new Follower.Seen(kept.at(), kept.change()), age));
        }
    }

    private void open() {
        if (begun.compareAndSet(false, true)) {
            late.cancel();
            begin();
        }
    }

    private void begin() {
        reports.opened(inUse.get(), store.whyNoContact(), settings.bundled().overridden());
        store.loop().post(this::tellOpened);
        opened.complete(config);
    }

    /** On the loop, behind what tells the follower the age of values from the cache. */
    private void tellOpened() {
        telemetry.applied();
        publishPresentState();
    }

    private void followingEnded() {
        telemetry.close();
        opened.completeExceptionally(RecipeContext.closedException());
        awaited.close();
        writeCache();
        cache.ifPresent(CacheWriter::end);
    }

    // ---- revisions ----

    @Override
    public void applied(ActiveConfig was, ActiveConfig now) {
        writeCache();
        awaited.reached(now.snapshot().position().revision());
        if (begun.get()) {
            reports.applied(was, now);
            telemetry.applied();
            publishState();
        }
        open();
    }

    @Override
    public void rejected(ActiveConfig now, Rejection why) {
        writeCache(); // what is in use may be marked secret now
        reports.rejected(why);
        telemetry.rejected();
        publishState();
        // Before the start nothing is bound, so only Baton's own record can be at fault. Waiting does not mend it.
        startFromCache();
    }

    @Override
    public void gap(StoreUpdate.Whole whole, Position at, Differences differences) {
        reports.gap(whole, at, differences);
    }

    @Override
    public void slow(String who, Duration runningFor) {
        reports.slow(who, runningFor);
    }

    /** Ensures that the last state offered is the one in use. */
    private void writeCache() {
        synchronized (lastGood) {
            ActiveConfig now = inUse.get();
            if (cache.isPresent() && lastGood.keeps(now)) {
                cache.get().offer(now);
            }
        }
    }

    private void started() {
        lastGood.started();
        writeCache();
    }

    // ---- bindings ----

    @Override
    public Iterator<CandidateState> earlierStates(ActiveConfig refused, boolean independent) {
        if (lastGood.isStarted() && !independent) {
            return List.<CandidateState>of()
                    .iterator(); // a late binding does not undo a state that has long been in use
        }
        Optional<CandidateState> kept = cached.filter(this::newEnough)
                .map(CandidateState::of)
                .map(state -> state.marked(applier.known(), scope()));
        return new EarlierStates(applier::known, applier.answered(), kept, this::history).before(refused, independent);
    }

    @Override
    public boolean runExclusively(String who, Runnable action) {
        return applier.runExclusively(who, action, settings.startTimeout());
    }

    private void resumeUpdates() {
        updates.resume();
    }

    /** A callback thread never waits for the store, because others need it. */
    private Iterator<CandidateState> history() {
        long until = store.loop().nanoTime() + TimeUnit.NANOSECONDS.convert(settings.startTimeout());
        return new Undoing(
                applier.known(), scope(), (from, to) -> Callbacks.inside() ? List.of() : read(from, to, until));
    }

    private List<Item> read(long from, long to, long untilNanos) {
        CompletableFuture<List<Item>> read = Futures.callOnLoop(store.loop(), () -> space.history(from, to));
        Duration left = Duration.ofNanos(untilNanos - store.loop().nanoTime());
        String what = "the history of changes " + from + " to " + to;
        if (left.isNegative() || !Futures.awaitDone(left, read)) {
            throw new ConfigException(what + " could not be read in time");
        }
        try {
            return read.join();
        } catch (CompletionException failed) {
            Throwable why = Futures.cause(failed);
            if (Futures.isTransient(why)) {
                throw new ConfigException(what + " could not be read: " + why.getMessage(), why);
            }
            // No restart can read it, so it has nothing to offer.
            reports.historyUnreadable(what, why);
            return List.of();
        }
    }

    @Override
    public void bound(ActiveConfig now) {
        writeCache();
        if (now.rejection().isPresent()) {
            updates.offer(new StoreUpdate.Again()); // if the new binding is independent, the newest state may fit it
        }
    }

    @Override
    public void wentBack(ActiveConfig was, ActiveConfig now) {
        reports.wentBack(was, now);
        applied(was, now);
        // Judges the rejected state again with the new binding, and reports it.
        updates.offer(new StoreUpdate.Again());
    }

    @Override
    public void unbound() {
        updates.offer(new StoreUpdate.Again());
    }

    /** Runs on the loop, so that the last publication has the latest state. */
    private void publishState() {
        store.loop().post(this::publishPresentState);
    }

    private void publishPresentState() {
        fleet.ifPresent(entry -> publishState(entry, inUse.get()));
    }

    private void publishState(FleetEntry entry, ActiveConfig now) {
        ConfigSnapshot snapshot = now.snapshot();
        entry.publish(new FleetState(
                snapshot.source(),
                snapshot.change(),
                snapshot.position().revision(),
                now.canary(),
                answered,
                !settings.approvesCanaries() || now.canary().equals(approved),
                now.whyRejected()));
    }

    // ---- canaries ----

    /** The thread that applies changes answers requests about a canary. If it hangs, there is no answer. */
    @Override
    public void updateProcessed(StoreState known) {
        long asked = known.canary().map(CanaryRecord::asked).orElse(0L);
        if (asked != answered) {
            answered = asked;
            publishState();
        }
    }

    /** A listener that fails for good while a canary is in use rejects that canary. */
    private void onEvent(ConfigEvent event) {
        events.accept(event);
        String canary = inUse.get().canary();
        if (event instanceof ConfigEvent.FailedListener failed && !canary.isEmpty()) {
            rejectCanary(canary, "listener " + failed.listener() + " failed");
        }
    }

    @Override
    public void rejectCanary(String id, String reason) {
        canaries.reject(id, reason);
        updates.offer(new StoreUpdate.Again());
    }

    @Override
    public void approveCanary(String id) {
        approved = id;
        publishState();
    }

    /** Runs when the canary's time is over. Each instance with this canary takes it back, unless another one has. */
    private void canaryEnded(String id) {
        reports.canaryEnded(id);
        updates.offer(new StoreUpdate.Again());
        takeBack(id);
    }

    private void takeBack(String id) {
        Futures.onDone(CanaryEnd.of(space, id, TAKING_BACK), (done, failure) -> {
            if (failure != null) {
                reports.canaryNotEnded(id, Futures.cause(failure));
                canaryClock.endLater(id, () -> takeBack(id));
            }
        });
    }

    // ---- for users ----

    @Override
    public Follower.Seen seen() {
        return follower.seen();
    }

    @Override
    public Duration unconfirmedFor() {
        return follower.unconfirmedFor();
    }

    @Override
    public SessionState contact() {
        return store.contact();
    }

    @Override
    public CompletableFuture<Void> stop() {
        // Who closes may have seen a state of which the cache has not been told yet. The end of following ends it.
        writeCache();
        late.cancel();
        startOver.cancel();
        followed.close();
        updates.close();
        hold.close();
        canaryClock.close();
        fleet.ifPresent(FleetEntry::close);
        opened.completeExceptionally(new ConfigException("the configuration was closed"));
        return cache.map(CacheWriter::end).orElseGet(() -> CompletableFuture.completedFuture(null));
    }
}
