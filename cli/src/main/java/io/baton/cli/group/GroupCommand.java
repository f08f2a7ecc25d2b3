package io.baton.cli.group;

import io.baton.Coordinator;
import io.baton.cli.Exit;
import io.baton.cli.Grid;
import io.baton.cli.JsonObject;
import io.baton.cli.StoreConnection;
import io.baton.recipes.Group;
import io.baton.recipes.GroupMember;
import io.baton.recipes.GroupView;
import io.baton.spi.Names;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton group}. */
@Command(
        name = "group",
        sortOptions = false,
        customSynopsis = "baton group [--connect URI] [--timeout 10s] [--json] NAME",
        header = "Shows the members of a group.",
        description = {"", "Prints one line for each member: its id, its process, and what it says of itself.", ""},
        footer = {
            "",
            "Examples:",
            "  baton group workers",
            "  baton group --json workers",
            "",
            "--json prints one object with members: for each id, data (as text), host and pid.",
            "",
            "Exit status: 0, also if the group is empty; or",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached"
        })
public final class GroupCommand implements Callable<Integer> {

    private static final int WIDEST = 60;

    @Mixin
    StoreConnection store;

    @Option(names = "--json", description = "For programs.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Parameters(paramLabel = "NAME", description = "The group.")
    String name;

    @Spec
    CommandSpec spec;

    /** For the command line parser. */
    public GroupCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        Names.check(name);
        GroupView view;
        try (Coordinator baton = store.connect("baton group")) {
            view = Group.named(baton, name).members();
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(new JsonObject()
                    .array("members", view.members(), GroupCommand::json)
                    .end());
        } else if (view.members().isEmpty()) {
            out.println("no members");
        } else {
            Grid.lines(rows(view)).forEach(out::println);
        }
        return Exit.OK;
    }

    private static List<List<String>> rows(GroupView view) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("MEMBER", "PROCESS", "DATA"));
        for (GroupMember member : view.members()) {
            String process = member.host() + "-" + member.pid();
            rows.add(List.of(
                    Grid.cell(member.id(), WIDEST), Grid.cell(process, WIDEST), Grid.cell(member.text(), WIDEST)));
        }
        return rows;
    }

    private static String json(GroupMember member) {
        return new JsonObject()
                .text("id", member.id())
                .text("data", member.text())
                .unlessEmpty("host", member.host())
                .number("pid", member.pid())
                .end();
    }
}
