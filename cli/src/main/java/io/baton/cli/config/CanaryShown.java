package io.baton.cli.config;

import io.baton.CoordinationException;
import io.baton.cli.Failure;
import io.baton.cli.JsonObject;
import io.baton.cli.Report;
import io.baton.cli.Text;
import io.baton.config.Canary;
import io.baton.config.ConfigStore;
import io.baton.config.FleetMember;
import io.baton.config.KeyChange;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Formats a canary as text or JSON.
 *
 * @param shown how its values are formatted
 * @param json whether the output is JSON
 */
record CanaryShown(Shown shown, boolean json) {

    /** Prints it. */
    void print(PrintWriter out, Canary canary, List<FleetMember> fleet) {
        if (json) {
            out.println(json(canary, Optional.of(fleet)));
        } else {
            printItself(out, canary);
            printFleet(out, canary, fleet);
        }
    }

    /** Prints one that has just begun, so it is no failure if the fleet cannot be read. */
    void printBegun(PrintWriter out, Canary canary, ConfigStore store) throws InterruptedException {
        if (!json) {
            printItself(out, canary);
        }
        List<FleetMember> fleet;
        try {
            fleet = store.fleet();
        } catch (CoordinationException unread) {
            if (json) {
                out.println(json(canary, Optional.empty()));
            }
            Report.line("which instances run it could not be read: " + Failure.text(unread));
            return;
        }
        if (json) {
            out.println(json(canary, Optional.of(fleet)));
        } else {
            printFleet(out, canary, fleet);
        }
    }

    private void printItself(PrintWriter out, Canary canary) {
        out.println(Text.line("canary " + canary.id() + " by " + canary.author() + ", " + Shown.time(canary.since())
                + ": in " + share(canary)));
        for (KeyChange change : canary.changes()) {
            out.println("    " + shown.change(change));
        }
    }

    private static void printFleet(PrintWriter out, Canary canary, List<FleetMember> fleet) {
        out.println(running(canary, fleet) + " of the " + canary.chosen().size() + " chosen instances run it"
                + (canary.lasts().isZero()
                        ? ""
                        : "; it lasts until " + Shown.time(canary.since().plus(canary.lasts()))));
        canary.objections(fleet).forEach(each -> out.println(Text.line("  " + each)));
    }

    private static long running(Canary canary, List<FleetMember> fleet) {
        return fleet.stream()
                .filter(member -> member.canary().equals(canary.id()))
                .count();
    }

    /** The instances that it chooses, in words. */
    static String share(Canary canary) {
        String labels = String.join(
                ", ",
                new TreeMap<>(canary.labels())
                        .entrySet().stream()
                                .map(each -> each.getKey() + "=" + each.getValue())
                                .toList());
        return canary.percent() + "% of the instances" + (labels.isEmpty() ? "" : " with " + labels);
    }

    /** Without the fleet, what is of it is null. */
    private String json(Canary canary, Optional<List<FleetMember>> fleet) {
        return new JsonObject()
                .text("id", canary.id())
                .text("author", canary.author())
                .text("since", canary.since().toString())
                .number("percent", canary.percent())
                .texts("labels", canary.labels())
                .unlessEmpty("held", canary.held())
                .number("lasts", canary.lasts().toSeconds())
                .number("chosen", canary.chosen().size())
                .raw(
                        "running",
                        fleet.map(known -> Long.toString(running(canary, known)))
                                .orElse("null"))
                .raw(
                        "objections",
                        fleet.map(known -> JsonObject.lines(canary.objections(known).stream()
                                        .map(JsonObject::quoted)
                                        .toList()))
                                .orElse("null"))
                .raw("changes", shown.json(canary.changes()))
                .end();
    }
}
