package io.baton.micrometer;

import io.baton.Telemetry.Configuration;
import io.baton.Telemetry.Configuration.What;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/** The meters of live configurations, by space. Spaces are not bounded, as a service follows few. Any thread. */
final class ConfigMeters {

    private static final List<String> SOURCES = List.of("LIVE", "CACHED", "BUNDLED");

    private final MeterRegistry registry;
    private final Iterable<Tag> tags;
    private final Gauges gauges;
    private final LongSupplier nanos;
    private final Map<String, State> spaces = new ConcurrentHashMap<>();

    /** The last event of a space, and since when the space is unconfirmed, if it is. At first it is. */
    private static final class State {
        private final LongSupplier nanos;
        private final List<Meter.Id> ids = new ArrayList<>();
        private volatile Configuration last;
        private volatile boolean confirmed;
        private volatile long since;

        State(Configuration first, LongSupplier nanos) {
            this.nanos = nanos;
            last = first;
            update(first);
        }

        /** The kind of the event decides: one of another kind may have been made before the last change of contact. */
        void update(Configuration event) {
            last = event;
            if (event.what() == What.CONFIRMED) {
                confirmed = true;
            } else if (event.what() == What.UNCONFIRMED || !confirmed) {
                since = nanos.getAsLong() - event.unconfirmedFor().toNanos();
                confirmed = false;
            }
        }

        double unconfirmedSeconds() {
            return confirmed ? 0 : Duration.ofNanos(nanos.getAsLong() - since).toMillis() / 1_000.0;
        }
    }

    ConfigMeters(MeterRegistry registry, Iterable<Tag> tags, Gauges gauges, LongSupplier nanos) {
        this.registry = registry;
        this.tags = tags;
        this.gauges = gauges;
        this.nanos = nanos;
    }

    void update(Configuration event) {
        if (event.what() == What.CLOSED) {
            close(event.space());
        } else {
            spaces.computeIfAbsent(event.space(), space -> register(space, new State(event, nanos)))
                    .update(event);
        }
        Counter.builder("baton.config.events")
                .description("What has become of live configurations")
                .tags(Tags.of(tags)
                        .and("space", event.space(), "what", event.what().name().toLowerCase(Locale.ROOT)))
                .register(registry)
                .increment();
    }

    /** Nothing is known of the space any more. One that is opened again begins anew. */
    private void close(String space) {
        State closed = spaces.remove(space);
        if (closed != null) {
            gauges.remove(closed.ids);
        }
    }

    private State register(String space, State state) {
        Tags by = Tags.of("space", space);
        gauge("revision", "Revision of the values in use", by, state, each -> each.last.revision());
        gauge("change", "Number of the last change in use", by, state, each -> each.last.change());
        gauge("behind", "Changes that are not in use", by, state, each -> each.last.newest() - each.last.change());
        gauge(
                "rejecting",
                "1 while something newer is rejected",
                by,
                state,
                each -> each.last.rejected().isEmpty() ? 0 : 1);
        gauges.addSeconds(
                        "baton.config.unconfirmed",
                        "How long the values seen have not been known to be the newest",
                        by,
                        state::unconfirmedSeconds)
                .ifPresent(state.ids::add);
        for (String source : SOURCES) {
            gauge(
                    "source",
                    "1 for where the values in use come from, 0 for the others",
                    by.and("source", source.toLowerCase(Locale.ROOT)),
                    state,
                    each -> each.last.source().equals(source) ? 1 : 0);
        }
        return state;
    }

    private void gauge(String name, String what, Tags by, State state, ToDoubleFunction<State> value) {
        gauges.add("baton.config." + name, what, by, () -> value.applyAsDouble(state))
                .ifPresent(state.ids::add);
    }
}
