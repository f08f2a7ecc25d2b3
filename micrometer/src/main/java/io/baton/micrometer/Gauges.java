package io.baton.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Supplier;

/**
 * The gauges of one coordinator. A registry ignores a gauge whose name and tags it has already, and would show the
 * values of a former coordinator for ever. So the gauges of the former one with the same registry and tags are removed
 * first, and it can add no more. Any thread.
 *
 * <p>The registry keeps what a gauge reads. Values therefore refer to little, and never to the telemetry.
 */
final class Gauges {

    private static final Map<MeterRegistry, Map<Tags, Place>> PLACES = new WeakHashMap<>();

    private final MeterRegistry registry;
    private final Tags tags;
    private final Place place;
    private final Object owner = new Object();

    /** The gauges with these tags in one registry, and whose they are. It must not refer to the registry. */
    private static final class Place {
        private final Set<Meter.Id> registered = new HashSet<>();
        private Object owner = this;
    }

    /** Takes the place of the former gauges with the same registry and tags. */
    Gauges(MeterRegistry registry, Iterable<Tag> tags) {
        this.registry = registry;
        this.tags = Tags.of(tags);
        synchronized (PLACES) {
            place = PLACES.computeIfAbsent(registry, any -> new HashMap<>())
                    .computeIfAbsent(this.tags, any -> new Place());
        }
        synchronized (place) {
            place.owner = owner;
            place.registered.forEach(registry::remove);
            place.registered.clear();
        }
    }

    /** Adds a gauge. Returns its id, or empty if later gauges have taken the place of these. */
    Optional<Meter.Id> add(String name, String what, Tags more, Supplier<Number> value) {
        return add(Gauge.builder(name, value).description(what).tags(tags.and(more)));
    }

    /** Adds a gauge in seconds; otherwise as the other. */
    Optional<Meter.Id> addSeconds(String name, String what, Tags more, Supplier<Number> value) {
        return add(
                Gauge.builder(name, value).description(what).baseUnit("seconds").tags(tags.and(more)));
    }

    private Optional<Meter.Id> add(Gauge.Builder<?> gauge) {
        synchronized (place) {
            if (place.owner != owner) {
                return Optional.empty();
            }
            Meter.Id id = gauge.register(registry).getId();
            place.registered.add(id);
            return Optional.of(id);
        }
    }

    /** Removes gauges that were added here. */
    void remove(List<Meter.Id> some) {
        synchronized (place) {
            if (place.owner == owner) {
                some.forEach(registry::remove);
                some.forEach(place.registered::remove);
            }
        }
    }
}
