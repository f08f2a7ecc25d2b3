package io.baton.config.internal;

import io.baton.Position;
import io.baton.config.ConfigEvent;
import io.baton.config.ConfigException;
import io.baton.config.ConfigSnapshot;
import io.baton.config.ConfigSource;
import io.baton.config.KeyChange;
import io.baton.config.LiveConfig;
import io.baton.config.Rejection;
import io.baton.config.internal.active.ActiveConfig;
import io.baton.config.internal.active.Cached;
import io.baton.config.internal.follow.StoreUpdate;
import io.baton.config.internal.record.Differences;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.LogLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports what happens, by events and in the log. No log line contains texts of values. */
final class Reports {

    private static final Logger log = LoggerFactory.getLogger(LiveConfig.class);

    private final String tree;
    private final ClientLoop loop;
    private final Consumer<ConfigEvent> events;
    private final LogLimit rejections = new LogLimit(20, Duration.ofMinutes(1));
    private final LogLimit notEnded = new LogLimit(1, Duration.ofMinutes(5));

    Reports(String tree, ClientLoop loop, Consumer<ConfigEvent> events) {
        this.tree = tree;
        this.loop = loop;
        this.events = events;
    }

    /** Reports the first state. */
    void opened(ActiveConfig now, Optional<String> trouble, List<String> overridden) {
        if (!overridden.isEmpty()) {
            log.warn(
                    "Configuration {}: an emergency override is stronger than the store here, for {}",
                    tree,
                    String.join(", ", overridden));
        }
        ConfigSnapshot snapshot = now.snapshot();
        if (snapshot.source() == ConfigSource.LIVE) {
            log.info(
                    "Configuration {} is LIVE at revision {}, change {}: {} values",
                    tree,
                    snapshot.position().revision(),
                    snapshot.change(),
                    snapshot.values().size());
        } else if (now.rejection().isPresent()) {
            log.warn(
                    "Configuration {} starts {}, as what the store has is rejected: {}",
                    tree,
                    snapshot.source(),
                    now.whyRejected());
        } else {
            String why = trouble.map(known -> ": " + known).orElse("");
            log.warn(
                    "Configuration {} starts {}, as the store has not answered in time{}",
                    tree,
                    snapshot.source(),
                    why);
        }
    }

    /** Reports a cache to start with, since the store has not answered. */
    void cache(Cached kept, Duration age, boolean good) {
        if (good) {
            log.warn(
                    "Configuration {}: the cache is of revision {}, change {}, and {} s old",
                    tree,
                    kept.at().revision(),
                    kept.change(),
                    age.toSeconds());
        } else {
            log.warn("Configuration {}: the cache is {} s old, and too old to be used", tree, age.toSeconds());
        }
    }

    /** Reports that one state has replaced another. */
    void applied(ActiveConfig was, ActiveConfig now) {
        ConfigSnapshot snapshot = now.snapshot();
        long revision = snapshot.position().revision();
        log.debug("Configuration {}: revision {}, change {} is in use", tree, revision, snapshot.change());
        if (was.snapshot().source() != snapshot.source()) {
            log.info("Configuration {} is {} now, at revision {}", tree, snapshot.source(), revision);
            events.accept(new ConfigEvent.Switched(was.snapshot().source(), snapshot.source()));
        }
        if (was.rejection().isPresent() && now.rejection().isEmpty()) {
            log.info("Configuration {}: what the store has is in use again, at revision {}", tree, revision);
            events.accept(new ConfigEvent.Recovered(revision));
        }
    }

    /** Reports a binding that the newest state does not fit. */
    void wentBack(ActiveConfig was, ActiveConfig now) {
        if (was.snapshot().equals(now.snapshot())) {
            String why = now.rejection().map(Rejection::reason).orElse("");
            log.warn("Configuration {}: an independent binding begins with an earlier value; {}", tree, why);
            return;
        }
        ConfigSnapshot snapshot = now.snapshot();
        String why = now.rejection().map(Rejection::reason).orElse("");
        log.warn(
                "Configuration {}: what the store has cannot be bound, so this is in use: {}, revision {}, change {}; {}",
                tree,
                snapshot.source(),
                snapshot.position().revision(),
                snapshot.change(),
                why);
    }

    /** Reports that the store refuses to show the history while an earlier state is searched there. */
    void historyUnreadable(String what, Throwable why) {
        log.warn("Configuration {}: {} cannot be read, and is left out: {}", tree, what, why.getMessage());
    }

    /** Reports that a canary's time is over, here or elsewhere. */
    void canaryEnded(String id) {
        log.warn("Configuration {}: canary {} has lasted as long as it may, and is taken back", tree, id);
    }

    /** Reports that a canary's record could not be removed. */
    void canaryNotEnded(String id, Throwable why) {
        boolean another = why instanceof ConfigException; // another instance was first
        if (another || notEnded.admit(Instant.ofEpochMilli(loop.wallMillis())).isEmpty()) {
            log.debug("Configuration {}: the record of canary {} was not removed: {}", tree, id, why.getMessage());
        } else {
            log.warn(
                    "Configuration {}: canary {} cannot be taken back; another attempt follows: {}",
                    tree,
                    id,
                    why.getMessage());
        }
    }

    /** Reports a rejected revision. */
    void rejected(Rejection why) {
        OptionalLong keptBack = rejections.admit(Instant.ofEpochMilli(loop.wallMillis()));
        if (keptBack.isPresent()) {
            log.warn(
                    "Configuration {}: revision {}, change {} is rejected by {}: {}",
                    tree,
                    why.revision(),
                    why.change(),
                    why.key(),
                    why.reason());
        }
        events.accept(new ConfigEvent.Rejected(why));
    }

    /** Reports a gap in the updates from the store. */
    void gap(StoreUpdate.Whole whole, Position at, Differences differences) {
        List<KeyChange> shown = differences.shown();
        if (whole.gap() == StoreUpdate.Gap.REWOUND) {
            log.warn(
                    "Configuration {}: the store was set back or replaced, from {} to {}; {} keys differ",
                    tree,
                    whole.known(),
                    at,
                    shown.size());
            events.accept(new ConfigEvent.Rewound(whole.known(), at, shown));
        } else {
            log.info(
                    "Configuration {}: caught up after a gap, at revision {}; {} keys differ",
                    tree,
                    at.revision(),
                    shown.size());
            events.accept(new ConfigEvent.Resynced(at, shown));
        }
    }

    /** Reports a slow decision about a revision. */
    void slow(String who, Duration runningFor) {
        log.warn(
                "Configuration {}: {} has been running for {} ms, and holds up changes",
                tree,
                who,
                runningFor.toMillis());
        events.accept(new ConfigEvent.SlowListener(who, runningFor));
    }
}
