package io.baton.cli.leader;

import io.baton.cli.Text;
import io.baton.election.Leader;
import io.baton.election.LeaderState;
import io.baton.election.Pause;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Formats the leader in one line. */
public final class LeaderLine {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

    private LeaderLine() {}

    /** The leader as text, with the election's name. */
    public static String text(String name, Optional<Leader> leader) {
        return "'" + Text.line(name) + "': " + text(leader);
    }

    /** The leader as text, with the election's name, and its state if that is known. */
    public static String text(String name, Optional<Leader> leader, Optional<LeaderState> state) {
        return text(name, leader) + state.map(LeaderLine::text).orElse("");
    }

    private static String text(Optional<Leader> leader) {
        return leader.map(LeaderLine::text).orElse("nobody leads");
    }

    /** The view as text: a line, and another one if the election is paused. */
    static String text(String name, View view) {
        String first = text(name, view.leader()) + state(view);
        return view.pause()
                .map(pause ->
                        first + System.lineSeparator() + "'" + Text.line(name) + "': " + Text.line(pause.toString()))
                .orElse(first);
    }

    /** The change as text: a line for each difference. */
    static String change(View before, View now, Instant seen, ZoneId zone) {
        String time = TIME.format(seen.atZone(zone)) + "  ";
        var lines = new StringJoiner(System.lineSeparator());
        boolean first = !before.known().contains(View.Part.LEADER);
        if (first || !before.leader().equals(now.leader()) || !before.state().equals(now.state())) {
            lines.add(time + text(now.leader()) + state(now));
        }
        if (!before.pause().equals(now.pause())) {
            lines.add(
                    time + now.pause().map(pause -> Text.line(pause.toString())).orElse("resumed"));
        }
        return lines.toString();
    }

    private static String state(View view) {
        return view.state().map(LeaderLine::text).orElse("");
    }

    private static String text(LeaderState state) {
        String what = "; " + word(state)
                + (state.phase() == LeaderState.Phase.FENCING
                        ? " "
                        : state.about().isEmpty() ? "" : ": ")
                + state.about();
        return Text.line(what) + " as of " + state.asOf();
    }

    private static String word(LeaderState state) {
        return state.phase().name().toLowerCase(Locale.ROOT);
    }

    /** The view as JSON. */
    static String json(View view, Instant seen) {
        Optional<Leader> leader = view.leader();
        return "{\"id\":" + leader.map(each -> Text.json(each.id())).orElse("null")
                + ",\"address\":"
                + leader.map(each -> Text.json(each.address())).orElse("null")
                + ",\"term\":" + leader.map(each -> Long.toString(each.term())).orElse("null")
                + ",\"priority\":"
                + leader.map(each -> Integer.toString(each.priority())).orElse("null")
                + ",\"metadata\":" + leader.map(each -> json(each.metadata())).orElse("{}")
                + ",\"state\":" + view.state().map(LeaderLine::json).orElse("null")
                + ",\"paused\":" + view.pause().map(LeaderLine::json).orElse("null")
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

    /** The state as JSON. */
    public static String json(LeaderState state) {
        return "{\"phase\":" + Text.json(word(state))
                + ",\"about\":" + value(state.about())
                + ",\"asOf\":" + Text.json(state.asOf().toString()) + "}";
    }

    /** The pause as JSON. */
    public static String json(Pause pause) {
        return "{\"by\":" + value(pause.by())
                + ",\"since\":" + Text.json(pause.since().toString())
                + ",\"why\":" + value(pause.why())
                + ",\"leader\":" + pause.leader().map(LeaderLine::value).orElse("null") + "}";
    }

    private static String json(Map<String, String> metadata) {
        return sorted(metadata).entrySet().stream()
                .map(each -> Text.json(each.getKey()) + ":" + value(each.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** A JSON string, also for an empty text. */
    public static String value(String text) {
        return text.isEmpty() ? "\"\"" : Text.json(text);
    }

    private static Map<String, String> sorted(Map<String, String> metadata) {
        return new TreeMap<>(metadata);
    }
}
