package io.baton.config;

import io.baton.Coordinator;
import io.baton.Position;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.config.values.Bundled;
import io.baton.config.values.SecretPaths;
import io.baton.internal.ConfigFeed;
import io.baton.internal.Delivery;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** One configuration that is followed: puts its parts together, and keeps to the order of start and end. */
final class ConfigRun implements FollowingConfig.Following, Outcomes {

    private static final Position NOWHERE = new Position("", 0);

    private final ConfigFeed feed;
    private final AtomicReference<InUse> inUse;
    private final Events events;
    private final Awaited awaited;
    private final Reports reports;
    private final Follower follower;
    private final Delivery<News> news;
    private final CanaryHold hold;
    private final Optional<FleetEntry> fleet;
    private final FollowingConfig config;
    private final CompletableFuture<LiveConfig> opened = new CompletableFuture<>();
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
            Duration startTimeout,
            Optional<String> instance,
            Map<String, String> labels) {}

    private ConfigRun(ConfigFeed feed, Settings settings) {
        this.feed = feed;
        FrozenMap<ConfigValue> nothing = FrozenMap.empty();
        var bundled = new ConfigSnapshot(ConfigSource.BUNDLED, NOWHERE, 0, nothing);
        inUse = new AtomicReference<>(InUse.of(bundled, nothing, settings.bundled().with(nothing), ""));
        events = new Events(feed.loop(), feed.callbacks());
        awaited = new Awaited(() -> inUse.get().snapshot().position().revision());
        reports = new Reports(settings.tree(), feed.loop(), events, settings.secrets());
        hold = CanaryHold.open(settings.baton(), settings.tree());
        fleet = settings.instance()
                .map(id -> FleetEntry.open(settings.baton(), settings.tree(), id, settings.labels()));
        Applier applier = new Applier(inUse, Known.of(NOWHERE, nothing, SpaceHead.NONE), parts(settings));
        news = new Delivery<>(feed.callbacks(), applier::take, new Inbox());
        follower = new Follower(
                feed.loop(), new Follower.Seen(NOWHERE, 0), Duration.ZERO, news::offer, this::coordinatorClosed);
        var means = new Teller.Means(feed.loop(), feed.callbacks(), events);
        var bindings = new Bindings(inUse, settings.secrets(), means, () -> news.offer(new News.Again()));
        config = new FollowingConfig(inUse, bindings, events, awaited, settings.unknown(), this);
    }

    private Applier.Parts parts(Settings settings) {
        var scope = new Known.Scope(settings.prefix(), settings.secrets()::contains);
        var canaries = new CanaryChoice(settings.instance(), settings.labels(), scope, hold);
        return new Applier.Parts(feed.loop(), settings.bundled(), settings.secrets(), scope, canaries, this);
    }

    /** Starts to follow. */
    static ConfigRun begin(ConfigFeed feed, Settings settings) {
        ConfigRun run = new ConfigRun(feed, settings);
        run.followed = feed.follow(run.follower);
        run.late = feed.loop().after(settings.startTimeout(), run::makeDo);
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

    /** The store has not answered in time. */
    private void makeDo() {
        open();
    }

    private void open() {
        if (!opened.isDone()) {
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
    }

    // ---- what becomes of revisions ----

    @Override
    public void applied(InUse was, InUse now) {
        awaited.reached(now.snapshot().position().revision());
        if (opened.isDone()) {
            reports.applied(was, now);
        }
        open();
        say(now);
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
                snapshot.source(),
                snapshot.change(),
                snapshot.position().revision(),
                now.canary(),
                rejected)));
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
    public void stop() {
        late.cancel();
        followed.close();
        news.close();
        hold.close();
        fleet.ifPresent(FleetEntry::close);
        opened.completeExceptionally(new ConfigException("the configuration was closed"));
    }
}
