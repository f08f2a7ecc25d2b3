package io.baton.config.internal.record;

import io.baton.config.ConfigSource;
import io.baton.config.FleetMember;
import io.baton.spi.Entry;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The published state of an instance, as its entry in the fleet's line contains it. */
public record FleetRecord(
        @Nullable String id,
        @Nullable String process,
        @Nullable String host,
        @Nullable Map<String, String> labels,
        @Nullable String source,
        long change,
        long revision,
        @Nullable String canary,
        long asked,
        boolean approves,
        @Nullable String rejected) {

    /** The length limit of a reason, which may contain half a document. */
    private static final int MOST_OF_REASON = 400;

    public static byte[] encode(String id, String process, String host, Map<String, String> labels, FleetState state) {
        return Json.write(new FleetRecord(
                id,
                process,
                host,
                new TreeMap<>(labels),
                state.source().name(),
                state.change(),
                state.revision(),
                state.canary(),
                state.asked(),
                state.approves(),
                RecordTexts.cut(state.rejected(), MOST_OF_REASON)));
    }

    /** Parses an entry; empty if it is not in Baton's format. */
    static Optional<FleetMember> member(Entry entry) {
        return Json.read(entry.payload(), FleetRecord.class).flatMap(FleetRecord::member);
    }

    private Optional<FleetMember> member() {
        if (id == null || source == null) {
            return Optional.empty();
        }
        ConfigSource from;
        try {
            from = ConfigSource.valueOf(source);
        } catch (IllegalArgumentException ofAnotherVersion) {
            return Optional.empty();
        }
        return Optional.of(new FleetMember(
                id,
                Objects.requireNonNullElse(process, ""),
                Objects.requireNonNullElse(host, ""),
                labels == null ? Map.of() : Map.copyOf(labels),
                from,
                change,
                revision,
                Objects.requireNonNullElse(canary, ""),
                asked,
                approves,
                Objects.requireNonNullElse(rejected, "")));
    }
}
