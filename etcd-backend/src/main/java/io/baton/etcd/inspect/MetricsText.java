package io.baton.etcd.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What a member tells at {@code /metrics}, in the text format of Prometheus. Names of metrics may change with the version. */
public record MetricsText(Map<String, Double> values) {

    private static final String QUOTA = "etcd_server_quota_backend_bytes";
    private static final String COMPACTED = "etcd_debugging_mvcc_compact_revision";
    private static final String COMPACTIONS = "etcd_debugging_mvcc_db_compaction_total_duration_milliseconds_count";
    private static final String STARTED = "process_start_time_seconds";

    /** Reads those without labels. */
    public static MetricsText parse(String text) {
        Map<String, Double> values = new HashMap<>();
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int space = line.indexOf(' ');
            if (space > 0 && line.indexOf('{') < 0) {
                number(line.substring(space + 1)).ifPresent(value -> values.put(line.substring(0, space), value));
            }
        });
        return new MetricsText(Map.copyOf(values));
    }

    /** How large the database may become, in bytes. */
    OptionalLong quota() {
        return whole(QUOTA);
    }

    /** Up to which revision the history has been removed; -1 if it never was. */
    OptionalLong compacted() {
        return whole(COMPACTED);
    }

    /**
     * How long it was from one compaction to the next, since the member was started; empty if there were less than two.
     *
     * @param now what the member's clock shows
     */
    Optional<Duration> compactionInterval(Instant now) {
        long compactions = whole(COMPACTIONS).orElse(0);
        OptionalLong started = whole(STARTED);
        return compactions < 2 || started.isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.between(Instant.ofEpochSecond(started.getAsLong()), now))
                        .filter(running -> !running.isNegative())
                        .map(running -> running.dividedBy(compactions));
    }

    private OptionalLong whole(String name) {
        Double value = values.get(name);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value.longValue());
    }

    private static OptionalDouble number(String text) {
        try {
            return OptionalDouble.of(Double.parseDouble(text));
        } catch (NumberFormatException none) {
            return OptionalDouble.empty();
        }
    }
}
