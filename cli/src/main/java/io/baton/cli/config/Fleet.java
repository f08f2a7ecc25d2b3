package io.baton.cli.config;

import io.baton.cli.Grid;
import io.baton.cli.JsonObject;
import io.baton.config.FleetMember;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The change that each instance of the fleet runs. */
final class Fleet {

    private static final List<String> HEAD =
            List.of("INSTANCE", "HOST", "SOURCE", "CHANGE", "BEHIND", "CANARY", "REJECTED");
    private static final int WIDEST = 40;
    private static final int REASON = 120;

    private final long newest;
    private final List<FleetMember> members;

    /** Compares the instances with this newest change. */
    Fleet(long newest, List<FleetMember> members) {
        this.newest = newest;
        this.members =
                members.stream().sorted(Comparator.comparing(FleetMember::id)).toList();
    }

    List<List<String>> rows() {
        var rows = new ArrayList<List<String>>();
        rows.add(HEAD);
        for (FleetMember member : members) {
            rows.add(List.of(
                    Grid.cell(member.id(), WIDEST),
                    Grid.cell(member.host(), WIDEST),
                    member.source().name().toLowerCase(Locale.ROOT),
                    Long.toString(member.change()),
                    behind(member) == 0 ? "-" : Long.toString(behind(member)),
                    Grid.cell(member.canary(), WIDEST),
                    Grid.cell(member.rejected(), REASON)));
        }
        return rows;
    }

    String summary() {
        if (members.isEmpty()) {
            return "no instance with a name (LiveConfig.builder(...).instance(id)); the newest change is " + newest;
        }
        long rejecting =
                members.stream().filter(each -> !each.rejected().isEmpty()).count();
        long trying = members.stream().filter(each -> !each.canary().isEmpty()).count();
        return running() + " of " + members.size() + " run change " + newest
                + (rejecting == 0 ? "" : ", " + rejecting + " rejected something newer")
                + (trying == 0 ? "" : ", " + trying + " try a canary");
    }

    String json() {
        return new JsonObject()
                .number("change", newest)
                .number("running", running())
                .raw(
                        "instances",
                        JsonObject.lines(members.stream().map(this::json).toList()))
                .end();
    }

    private long running() {
        return members.stream().filter(each -> behind(each) == 0).count();
    }

    private long behind(FleetMember member) {
        return Math.max(0, newest - member.change());
    }

    private String json(FleetMember member) {
        return new JsonObject()
                .text("id", member.id())
                .text("host", member.host())
                .texts("labels", member.labels())
                .text("source", member.source().name())
                .number("change", member.change())
                .number("behind", behind(member))
                .number("revision", member.revision())
                .unlessEmpty("canary", member.canary())
                .unlessEmpty("rejected", member.rejected())
                .end();
    }
}
