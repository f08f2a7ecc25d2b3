package io.baton.micrometer;

import io.baton.Telemetry.Configuration;
import io.baton.Telemetry.Configuration.What;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
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
    private final LongSupplier nanos;
    private final Map<String, State> spaces = new ConcurrentHashMap<>();

    /** The last event of a space, and since when the space is unconfirmed, if it is. */
    private static final class State {
        private volatile Configuration last;
        private volatile boolean confirmed = true;
        private volatile long since;

        State(Configuration first) {
            last = first;
        }
    }

    ConfigMeters(MeterRegistry registry, Iterable<Tag> tags, LongSupplier nanos) {
        this.registry = registry;
        this.tags = tags;
        this.nanos = nanos;
    }

    void update(Configuration event) {
        State state = spaces.computeIfAbsent(event.space(), space -> register(space, new State(event)));
        state.last = event;
        if (event.what() == What.UNCONFIRMED) {
            state.since = nanos.getAsLong();
            state.confirmed = false;
        } else if (event.what() == What.CONFIRMED) {
            state.confirmed = true;
        }
        Counter.builder("baton.config.events")
                .description("What has become of live configurations")
                .tags(Tags.of(tags)
                        .and("space", event.space(), "what", event.what().name().toLowerCase(Locale.ROOT)))
                .register(registry)
                .increment();
    }

    private State register(String space, State state) {
        gauge("revision", "Revision of the values in use", space, state, each -> each.last.revision());
        gauge("change", "Number of the last change in use", space, state, each -> each.last.change());
        gauge("behind", "Changes that are not in use", space, state, each -> each.last.newest() - each.last.change());
        gauge(
                "rejecting",
                "1 while something newer is rejected",
                space,
                state,
                each -> each.last.rejected().isEmpty() ? 0 : 1);
        Gauge.builder("baton.config.unconfirmed", state, this::unconfirmedSeconds)
                .description("How long the values seen have not been known to be the newest")
                .baseUnit("seconds")
                .tags(Tags.of(tags).and("space", space))
                .register(registry);
        for (String source : SOURCES) {
            Gauge.builder(
                            "baton.config.source",
                            state,
                            each -> each.last.source().equals(source) ? 1 : 0)
                    .description("1 for where the values in use come from, 0 for the others")
                    .tags(Tags.of(tags).and("space", space, "source", source.toLowerCase(Locale.ROOT)))
                    .register(registry);
        }
        return state;
    }

    private double unconfirmedSeconds(State state) {
        return state.confirmed
                ? 0
                : Duration.ofNanos(nanos.getAsLong() - state.since).toMillis() / 1_000.0;
    }

    private void gauge(String name, String what, String space, State state, ToDoubleFunction<State> value) {
        Gauge.builder("baton.config." + name, state, value)
                .description(what)
                .tags(Tags.of(tags).and("space", space))
                .register(registry);
    }
}
