package io.baton.cli.standby;

import io.baton.cli.Grid;
import io.baton.cli.Text;
import io.baton.cli.leader.LeaderLine;
import io.baton.election.LeftBreadcrumb;
import io.baton.election.Pause;
import io.baton.election.StandbyMember;
import io.baton.election.StandbyMember.Readiness;
import io.baton.election.StandbyOverview;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Formats the state of nodes as text. */
final class OverviewText {

    private static final int WIDEST = 40;
    private static final List<String> HEAD = List.of("NODE", "PLACE", "STATE", "READY", "HEALTH", "AS OF", "ADDRESS");

    private OverviewText() {}

    /** A few lines about the service, one about each node, and one about each trouble. */
    static List<String> lines(String name, StandbyOverview now) {
        String of = "'" + Text.line(name) + "': ";
        var lines = new ArrayList<String>();
        lines.add(LeaderLine.text(name, now.leader(), now.state()));
        now.pause().ifPresent(pause -> lines.add(of + Text.line(pause.toString())));
        lines.add(of + breadcrumb(now));
        if (now.members().isEmpty()) {
            lines.add(of + "no node is in contact with the store");
        } else {
            lines.addAll(Grid.lines(rows(now)));
        }
        now.members().forEach(each -> trouble(each).ifPresent(what -> lines.add(of + what)));
        if (!now.others().isEmpty()) {
            lines.add(of + Text.line("candidates that are no nodes: " + String.join(", ", now.others())));
        }
        return lines;
    }

    private static String breadcrumb(StandbyOverview now) {
        return now.breadcrumb()
                .map(left -> Text.line("breadcrumb of " + left.breadcrumb() + "; " + fate(left)))
                .orElse("no breadcrumb: nobody is to be fenced");
    }

    private static String fate(LeftBreadcrumb left) {
        return left.inContact()
                ? "that node is in contact, or its session has not ended yet"
                : "that node is not in contact, and is fenced before another one is promoted";
    }

    private static List<List<String>> rows(StandbyOverview now) {
        var rows = new ArrayList<List<String>>();
        rows.add(HEAD);
        for (StandbyMember each : now.members()) {
            rows.add(List.of(
                    Grid.cell(each.id(), WIDEST),
                    each.place() == 0 ? "-" : String.valueOf(each.place()),
                    word(each.state()),
                    readiness(each, now.pause()),
                    word(each.health()),
                    each.asOf().truncatedTo(ChronoUnit.SECONDS).toString(),
                    Grid.cell(each.address(), WIDEST)));
        }
        return rows;
    }

    /** Standing aside is not part of a node's report; it follows from the pause. */
    static String readiness(StandbyMember member, Optional<Pause> pause) {
        boolean aside = member.readiness() == Readiness.READY
                && member.place() == 0
                && pause.filter(each -> !each.leader().equals(Optional.of(member.id())))
                        .isPresent();
        return aside ? "aside" : word(member.readiness());
    }

    private static Optional<String> trouble(StandbyMember member) {
        String until = member.again()
                .map(at -> "waits until " + at.truncatedTo(ChronoUnit.SECONDS))
                .orElse("");
        String what = member.trouble().orElse("");
        String all = until + (until.isEmpty() || what.isEmpty() ? "" : ": ") + what;
        return all.isEmpty() ? Optional.empty() : Optional.of(Text.line(member.id() + " " + all));
    }

    /** Formats a constant as a word. */
    static String word(Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT);
    }
}
