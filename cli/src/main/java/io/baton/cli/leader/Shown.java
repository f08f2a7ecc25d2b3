package io.baton.cli.leader;

import io.baton.cli.Text;
import io.baton.election.Leader;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Who leads, in one line. */
public final class Shown {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

    private Shown() {}

    /** For people, with the election's name. */
    public static String text(String name, Optional<Leader> leader) {
        return "'" + Text.line(name) + "': " + text(leader);
    }

    private static String text(Optional<Leader> leader) {
        return leader.map(Shown::text).orElse("nobody leads");
    }

    /** For people who look at a change. */
    static String text(Optional<Leader> leader, Instant seen, ZoneId zone) {
        return TIME.format(seen.atZone(zone)) + "  " + text(leader);
    }

    /** For programs. */
    static String json(Optional<Leader> leader, Instant seen) {
        return "{\"id\":" + leader.map(each -> Text.json(each.id())).orElse("null")
                + ",\"address\":"
                + leader.map(each -> Text.json(each.address())).orElse("null")
                + ",\"term\":" + leader.map(each -> Long.toString(each.term())).orElse("null")
                + ",\"priority\":"
                + leader.map(each -> Integer.toString(each.priority())).orElse("null")
                + ",\"metadata\":" + leader.map(each -> json(each.metadata())).orElse("{}")
                + ",\"seen\":" + Text.json(seen.toString()) + "}";
    }

    private static String text(Leader leader) {
        var out = new StringBuilder(leader.id().isBlank() ? "(foreign)" : leader.id());
        out.append(" leads, term ").append(leader.term());
        if (!leader.address().isEmpty()) {
            out.append(", at ").append(leader.address());
        }
        if (leader.priority() != 0) {
            out.append(", priority ").append(leader.priority());
        }
        sorted(leader.metadata())
                .forEach(
                        (key, value) -> out.append(", ").append(key).append('=').append(value));
        return Text.line(out.toString());
    }

    private static String json(Map<String, String> metadata) {
        return sorted(metadata).entrySet().stream()
                .map(each -> Text.json(each.getKey()) + ":" + value(each.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String value(String text) {
        return text.isEmpty() ? "\"\"" : Text.json(text);
    }

    private static Map<String, String> sorted(Map<String, String> metadata) {
        return new TreeMap<>(metadata);
    }
}
