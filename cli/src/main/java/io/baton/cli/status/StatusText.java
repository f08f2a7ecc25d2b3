package io.baton.cli.status;

import io.baton.cli.Grid;
import io.baton.cli.Text;
import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.ServerState;
import io.baton.spi.inspect.SessionTimings;
import io.baton.spi.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats a store's status as text. */
final class StatusText {

    private static final int WIDEST = 60;

    private StatusText() {}

    static List<String> lines(StoreStatus status) {
        List<String> lines = new ArrayList<>(List.of(Text.line(status.uri())));
        lines.add("");
        lines.addAll(Grid.lines(servers(status.servers())));
        status.servers().forEach(server -> server.trouble().ifPresent(why -> lines.add("  " + Text.line(why))));
        lines.add("");
        List<List<String>> rows = new ArrayList<>();
        status.session()
                .ifPresentOrElse(
                        granted -> {
                            rows.add(List.of("session", Grid.cell(granted.id(), WIDEST)));
                            rows.addAll(timings(status.asked(), granted.timings()));
                        },
                        () -> rows.add(List.of("session", "none")));
        rows.add(List.of(
                "clock", status.clock().map(ClockReading::toString).orElse("not known: the store does not tell")));
        lines.addAll(Grid.lines(rows));
        return lines;
    }

    private static List<List<String>> servers(List<ServerState> servers) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("SERVER", "STATE", "ROLE", "VERSION", "ROUND TRIP"));
        for (ServerState each : servers) {
            rows.add(List.of(
                    Grid.cell(each.address(), WIDEST),
                    each.trouble().isPresent() ? "no contact" : "serves",
                    each.role().orElse("-"),
                    each.version().map(version -> Grid.cell(version, WIDEST)).orElse("-"),
                    each.roundTrip().map(StatusText::fine).orElse("-")));
        }
        return rows;
    }

    private static List<List<String>> timings(Duration asked, SessionTimings times) {
        Duration lost = times.ttl().minus(times.margin());
        return List.of(
                List.of(
                        "ttl",
                        DurationText.of(times.ttl()) + " granted, " + DurationText.of(asked)
                                + " asked for; Baton needs " + DurationText.of(times.shortest()) + " at least"),
                List.of(
                        "crash",
                        "what a silent client holds is free after " + DurationText.of(times.ttl()) + " to "
                                + DurationText.of(times.ttl().plus(times.expiryLag()))),
                List.of(
                        "proofs",
                        "a holder proves every " + DurationText.of(times.beat()) + " that its session is alive"),
                List.of(
                        "deadline",
                        "a hold is lost " + DurationText.of(lost) + " after the request of its last proof"));
    }

    private static String fine(Duration time) {
        return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
    }
}
