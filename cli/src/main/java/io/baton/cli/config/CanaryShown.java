package io.baton.cli.config;

import io.baton.cli.JsonObject;
import io.baton.cli.Text;
import io.baton.config.Canary;
import io.baton.config.FleetMember;
import io.baton.config.KeyChange;
import java.io.PrintWriter;
import java.util.List;
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
        long running = fleet.stream()
                .filter(member -> member.canary().equals(canary.id()))
                .count();
        List<String> objections = canary.objections(fleet);
        if (json) {
            out.println(json(canary, running, objections));
            return;
        }
        out.println(Text.line("canary " + canary.id() + " by " + canary.author() + ", " + Shown.time(canary.since())
                + ": in " + share(canary)));
        for (KeyChange change : canary.changes()) {
            out.println("    " + shown.change(change));
        }
        out.println(running + " of the " + canary.chosen().size() + " chosen instances run it"
                + (canary.lasts().isZero()
                        ? ""
                        : "; it lasts until " + Shown.time(canary.since().plus(canary.lasts()))));
        objections.forEach(each -> out.println(Text.line("  " + each)));
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

    private String json(Canary canary, long running, List<String> objections) {
        return new JsonObject()
                .text("id", canary.id())
                .text("author", canary.author())
                .text("since", canary.since().toString())
                .number("percent", canary.percent())
                .texts("labels", canary.labels())
                .unlessEmpty("held", canary.held())
                .number("lasts", canary.lasts().toSeconds())
                .number("chosen", canary.chosen().size())
                .number("running", running)
                .raw(
                        "objections",
                        JsonObject.lines(
                                objections.stream().map(JsonObject::quoted).toList()))
                .raw("changes", shown.json(canary.changes()))
                .end();
    }
}
