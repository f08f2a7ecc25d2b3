package io.baton.config;

import io.baton.Coordinator;
import io.baton.Position;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.config.values.Bundled;
import io.baton.config.values.Converters;
import io.baton.config.values.Layers;
import io.baton.config.values.SecretPaths;
import io.baton.internal.ConfigFeed;
import io.baton.internal.Delivery;
import io.baton.spi.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** One configuration that is followed: puts its parts together, and keeps to the order of start and end. */
final class ConfigRun implements FollowingConfig.Following, Outcomes {

    private static final Position NOWHERE = new Position("", 0);

    private final ConfigFeed feed;
    private final Settings settings;
    private final Optional<Cached> cached;
    private final Optional<CacheWriter> cache;
    private final Current inUse;
    private final Events events;
    private final Awaited awaited;
    private final Reports reports;
    private final Follower follower;
    private final Delivery<News> news;
    private final CanaryHold hold;
    private final Optional<FleetEntry> fleet;
    private final FollowingConfig config;
    private final CompletableFuture<LiveConfig> opened = new CompletableFuture<>();
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile Loop.Timer late = () -> {};
    private volatile Subscription followed = () -> {};

    /** As the builder has collected them. */
    record Settings(
            Coordinator baton,
            String tree,
            String prefix,
            Bundled bundled,
            SecretPaths secrets,
            UnknownFields unknown,
            Converters converters,
            Duration startTimeout,
            Optional<CacheFile> cache,
            Duration maxCacheAge,
            Optional<String> instance,
            Map<String, String> labels) {}

    private ConfigRun(ConfigFeed feed, Settings settings, Optional<Cached> cached) {
        this.feed = feed;
        this.settings = settings;
        this.cached = cached;
        FrozenMap<ConfigValue> nothing = FrozenMap.empty();
        var bundled = new ConfigSnapshot(ConfigSource.BUNDLED, NOWHERE, 0, nothing);
        inUse = new Current(InUse.of(bundled, nothing, settings.bundled().with(nothing), ""));
        events = new Events(feed.loop(), feed.callbacks());
        awaited = new Awaited(() -> inUse.get().snapshot().position().revision());
        reports = new Reports(settings.tree(), feed.loop(), events);
        hold = CanaryHold.open(settings.baton(), settings.tree());
        fleet = settings.instance()
                .map(id -> FleetEntry.open(settings.baton(), settings.tree(), id, settings.labels()));
        cache = settings.cache()
                .map(file -> new CacheWriter(feed.loop(), feed.callbacks(), now -> file.write(kept(now))));
        Applier applier = new Applier(inUse, earlier(), parts());
        news = Delivery.handingOn(feed.callbacks(), applier::take, new Inbox());
        follower = new Follower(feed.loop(), before(), news::offer, this::coordinatorClosed);
        var means = new Teller.Means(feed.loop(), feed.callbacks(), events);
        var bindings = new Bindings(inUse, settings.secrets(), means, () -> news.offer(new News.Again()));
        config = new FollowingConfig(inUse, bindings, events, awaited, settings.unknown(), settings.converters(), this);
    }

    /** Where the store was when this was written to the cache. */
    private Position before() {
        return cached.map(Cached::at).orElse(NOWHERE);
    }

    /** What the store is compared with; not with values of a canary, which are not its own. */
    private Known earlier() {
        FrozenMap<ConfigValue> values = cached.filter(kept -> kept.canary().isEmpty())
                .map(Cached::values)
                .orElse(FrozenMap.empty());
        return Known.of(before(), values, SpaceHead.NONE);
    }

    private Cached kept(InUse now) {
        return Cached.of(settings.tree(), settings.prefix(), now, now());
    }

    private Instant now() {
        return Instant.ofEpochMilli(feed.loop().wallMillis());
    }

    private Applier.Parts parts() {
        var scope = new Known.Scope(settings.prefix(), settings.secrets()::contains);
        var canaries = new CanaryChoice(settings.instance(), settings.labels(), scope, hold);
        return new Applier.Parts(feed.loop(), settings.bundled(), settings.secrets(), scope, canaries, this);
    }

    /** Starts to follow. */
    static ConfigRun begin(ConfigFeed feed, Settings settings) {
        Optional<Cached> cached = settings.cache().flatMap(file -> file.read(settings.tree(), settings.prefix()));
        ConfigRun run = new ConfigRun(feed, settings, cached);
        run.followed = feed.follow(run.follower);
        run.late = feed.loop().after(settings.startTimeout(), run::late);
        return run;
    }

    ConfigFeed feed() {
        return feed;
    }

    FollowingConfig config() {
        return config;
    }

    /** Completes once there are values to begin with. */
    CompletableFuture<LiveConfig> opened() {
        return opened;
    }

    private void late() {
        if (!feed.callbacks().run(this::makeDo)) {
            coordinatorClosed();
        }
    }

    /** The store has not answered in time. */
    private void makeDo() {
        InUse bundled = inUse.get();
        if (bundled.snapshot().source() == ConfigSource.BUNDLED) {
            cached.filter(this::newEnough).ifPresent(kept -> startWith(kept, bundled));
        }
        open();
    }

    private boolean newEnough(Cached kept) {
        boolean good = kept.age(now()).compareTo(settings.maxCacheAge()) <= 0;
        reports.cache(kept, kept.age(now()), good);
        return good;
    }

    /** Unless the store has answered at the last moment. Nothing is bound yet that could object. */
    private void startWith(Cached kept, InUse bundled) {
        Layers layers = settings.bundled().with(kept.values());
        InUse next = InUse.of(kept.snapshot(), kept.values(), layers, kept.canary());
        if (inUse.replace(bundled, next)) {
            Duration age = kept.age(now());
            feed.loop().post(() -> follower.begin(new Follower.Seen(kept.at(), kept.change()), age));
        }
    }

    private void open() {
        if (begun.compareAndSet(false, true)) {
            late.cancel();
            InUse now = inUse.get();
            reports.opened(now, feed.trouble());
            say(now);
            opened.complete(config);
        }
    }

    private void coordinatorClosed() {
        opened.completeExceptionally(ConfigFeed.closed());
        awaited.close();
        cache.ifPresent(CacheWriter::end);
    }

    // ---- what becomes of revisions ----

    @Override
    public void applied(InUse was, InUse now) {
        // First of all, so that whoever has seen it in use, and closes, finds it kept.
        cache.ifPresent(writer -> writer.offer(now));
        awaited.reached(now.snapshot().position().revision());
        if (begun.get()) {
            reports.applied(was, now);
            say(now);
        }
        open();
    }

    @Override
    public void rejected(InUse now, Rejection why) {
        reports.rejected(why);
        say(now);
    }

    @Override
    public void gap(News.Whole whole, Position at, Differences differences) {
        reports.gap(whole, at, differences);
    }

    @Override
    public void slow(String who, Duration runningFor) {
        reports.slow(who, runningFor);
    }

    private void say(InUse now) {
        ConfigSnapshot snapshot = now.snapshot();
        String rejected =
                now.rejection().map(why -> why.key() + ": " + why.reason()).orElse("");
        fleet.ifPresent(entry -> entry.say(new FleetState(
                snapshot.source(), snapshot.change(), snapshot.position().revision(), now.canary(), rejected)));
    }

    // ---- for its users ----

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
        return feed.contact();
    }

    @Override
    public CompletableFuture<Void> stop() {
        late.cancel();
        followed.close();
        news.close();
        hold.close();
        fleet.ifPresent(FleetEntry::close);
        opened.completeExceptionally(new ConfigException("the configuration was closed"));
        return cache.map(CacheWriter::end).orElseGet(() -> CompletableFuture.completedFuture(null));
    }
}
