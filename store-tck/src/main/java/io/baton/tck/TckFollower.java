package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Subscription;
import io.baton.config.ConfigEvent;
import io.baton.config.ConfigSnapshot;
import io.baton.config.KeyChange;
import io.baton.config.ListenerOptions;
import io.baton.config.LiveConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionTimeoutException;

/** Follows a configuration, and records all events. */
final class TckFollower implements AutoCloseable {

    private final LiveConfig live;
    private final List<ConfigEvent> events = new CopyOnWriteArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final List<ConfigCourse.Told> told = new ArrayList<>();
    private final List<ConfigCourse.Told> inUse = new ArrayList<>();
    private final SortedMap<String, String> values = new TreeMap<>();
    private final Subscription subscription;

    TckFollower(LiveConfig live) {
        this.live = live;
        live.onEvent(events::add);
        subscription = live.onPrefix("", ListenerOptions.named("tck"), this::changed);
    }

    LiveConfig live() {
        return live;
    }

    /** Every event so far other than ordinary changes. */
    List<ConfigEvent> events() {
        return events;
    }

    <T extends ConfigEvent> List<T> events(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Whether the events add up to these values, and these are in use. */
    synchronized boolean has(SortedMap<String, String> wanted) {
        return values.equals(wanted) && texts(live.snapshot()).equals(wanted);
    }

    /** Waits for the last state of the course; then checks that all events are of this course and in order. */
    void assertFollowed(ConfigCourse course) {
        try {
            Chapter.soon().until(() -> has(course.values()));
        } catch (ConditionTimeoutException late) {
            synchronized (this) {
                throw new AssertionError(values + " is not " + course.values() + ", " + live.status(), late);
            }
        }
        synchronized (this) {
            assertThat(faults).isEmpty();
            course.assertFollowed(inUse);
            course.assertFollowed(told);
        }
    }

    /** Whether it received every state of the course since its first. */
    synchronized boolean wasToldAll(ConfigCourse course) {
        return course.isTold(told);
    }

    /** Waits until the values in use have at least this revision. */
    void await(long revision) throws InterruptedException {
        if (!live.awaitRevision(revision, Duration.ofSeconds(30))) {
            throw new AssertionError("revision " + revision + " is not applied: " + live.status());
        }
    }

    @Override
    public void close() {
        subscription.close();
        live.close();
    }

    private synchronized void changed(List<KeyChange> changes, long revision) {
        for (KeyChange change : changes) {
            if (!change.before().equals(Optional.ofNullable(values.get(change.key())))) {
                faults.add(change + " was told where it was " + values.get(change.key()));
            }
            change.now().ifPresentOrElse(now -> values.put(change.key(), now), () -> values.remove(change.key()));
        }
        ConfigSnapshot now = live.snapshot();
        if (now.position().revision() < revision) {
            faults.add("told of revision " + revision + " while " + now.position() + " is in use");
        }
        told.add(new ConfigCourse.Told(revision, ConfigCourse.UNTOLD, new TreeMap<>(values)));
        inUse.add(new ConfigCourse.Told(now.position().revision(), now.change(), texts(now)));
    }

    private static SortedMap<String, String> texts(ConfigSnapshot snapshot) {
        SortedMap<String, String> texts = new TreeMap<>();
        snapshot.values().forEach((key, value) -> texts.put(key, value.text()));
        return texts;
    }
}
