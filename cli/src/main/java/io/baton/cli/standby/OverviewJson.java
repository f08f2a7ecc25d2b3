package io.baton.cli.standby;

import io.baton.cli.Text;
import io.baton.cli.leader.LeaderLine;
import io.baton.election.Breadcrumb;
import io.baton.election.Leader;
import io.baton.election.LeftBreadcrumb;
import io.baton.election.StandbyMember;
import io.baton.election.StandbyOverview;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/** Formats the state of nodes as JSON. */
final class OverviewJson {

    private OverviewJson() {}

    static String of(String name, StandbyOverview now) {
        return "{\"name\":" + Text.json(name)
                + ",\"leader\":" + now.leader().map(OverviewJson::leader).orElse("null")
                + ",\"state\":" + now.state().map(LeaderLine::json).orElse("null")
                + ",\"nodes\":"
                + now.members().stream().map(each -> member(each, now)).collect(Collectors.joining(",", "[", "]"))
                + ",\"others\":"
                + now.others().stream().map(LeaderLine::value).collect(Collectors.joining(",", "[", "]"))
                + ",\"breadcrumb\":"
                + now.breadcrumb().map(OverviewJson::breadcrumb).orElse("null")
                + ",\"paused\":" + now.pause().map(LeaderLine::json).orElse("null") + "}";
    }

    private static String leader(Leader leader) {
        return "{\"id\":" + LeaderLine.value(leader.id()) + ",\"address\":" + Text.json(leader.address()) + ",\"term\":"
                + leader.term() + "}";
    }

    private static String member(StandbyMember member, StandbyOverview now) {
        return "{\"id\":" + LeaderLine.value(member.id())
                + ",\"address\":" + Text.json(member.address())
                + ",\"priority\":" + member.priority()
                + ",\"place\":" + (member.place() == 0 ? "null" : String.valueOf(member.place()))
                + ",\"state\":" + Text.json(OverviewText.word(member.state()))
                + ",\"readiness\":" + Text.json(OverviewText.readiness(member, now.pause()))
                + ",\"health\":" + Text.json(OverviewText.word(member.health()))
                + ",\"again\":" + time(member.again())
                + ",\"trouble\":" + member.trouble().map(Text::json).orElse("null")
                + ",\"asOf\":" + time(Optional.of(member.asOf())) + "}";
    }

    private static String breadcrumb(LeftBreadcrumb left) {
        Breadcrumb crumb = left.breadcrumb();
        return "{\"id\":" + LeaderLine.value(crumb.id())
                + ",\"address\":" + Text.json(crumb.address())
                + ",\"term\":" + crumb.term()
                + ",\"since\":" + time(crumb.since())
                + ",\"inContact\":" + left.inContact() + "}";
    }

    private static String time(Optional<Instant> at) {
        return at.map(each -> Text.json(each.toString())).orElse("null");
    }
}
