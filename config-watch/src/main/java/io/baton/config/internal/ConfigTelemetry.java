package io.baton.config.internal;

import io.baton.Telemetry;
import io.baton.Telemetry.Configuration.What;
import io.baton.config.ConfigSnapshot;
import io.baton.config.internal.active.ActiveConfig;
import io.baton.config.internal.active.Current;
import io.baton.config.internal.follow.Follower;
import io.baton.config.internal.record.ConfigSpace;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Reports a configuration to telemetry, and nothing once it is closed. Any thread. */
final class ConfigTelemetry {

    private final ConfigSpace store;
    private final Current inUse;
    private final Supplier<Follower.Seen> seen;
    private final Supplier<Duration> unconfirmedFor;
    private final AtomicBoolean closed = new AtomicBoolean();
    // The reports under way, and one more until it is closed. The last to leave reports the end.
    private final AtomicInteger inside = new AtomicInteger(1);

    ConfigTelemetry(ConfigSpace store, Current inUse, Supplier<Follower.Seen> seen, Supplier<Duration> unconfirmedFor) {
        this.store = store;
        this.inUse = inUse;
        this.seen = seen;
        this.unconfirmedFor = unconfirmedFor;
    }

    /** Notes that the configuration is open. It is closed later. */
    void begin() {
        store.opened();
    }

    /** Reports that other values came into use. */
    void applied() {
        report(What.APPLIED);
    }

    /** Reports that a revision was rejected. */
    void rejected() {
        report(What.REJECTED);
    }

    /** Reports whether the newest revision is known. */
    void confirmed(boolean newest) {
        report(newest ? What.CONFIRMED : What.UNCONFIRMED);
    }

    /** Reports the end, if no other configuration of the space is open. */
    void close() {
        if (closed.compareAndSet(false, true)) {
            leave();
        }
    }

    private void report(What what) {
        if (inside.getAndUpdate(reports -> reports == 0 ? 0 : reports + 1) > 0) {
            send(what);
            leave();
        }
    }

    private void leave() {
        if (inside.decrementAndGet() == 0 && store.closed()) {
            send(What.CLOSED);
        }
    }

    /** A busy writer makes many revisions, so a slow listener may miss some. It never misses the other changes. */
    private void send(What what) {
        switch (what) {
            case APPLIED, REJECTED -> store.report(() -> event(what));
            case CONFIRMED, UNCONFIRMED, CLOSED -> store.reportReliably(() -> event(what));
        }
    }

    private Consumer<Telemetry> event(What what) {
        ActiveConfig now = inUse.get();
        ConfigSnapshot snapshot = now.snapshot();
        var event = new Telemetry.Configuration(
                Instant.ofEpochMilli(store.loop().wallMillis()),
                store.tree(),
                what,
                snapshot.source().name(),
                snapshot.position().revision(),
                snapshot.change(),
                Math.max(seen.get().change(), snapshot.change()),
                now.whyRejected(),
                unconfirmedFor.get());
        return to -> to.configuration(event);
    }
}
