package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.cli.JsonObject;
import io.baton.config.ConfigStore;
import io.baton.config.KeyChange;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton config diff}. */
@Command(
        name = "diff",
        sortOptions = false,
        customSynopsis = "baton config diff [--connect URI] [--space TREE] [--reveal] [--json] [FROM [TO]]",
        header = "Shows what differs between the states after two changes.",
        description = {"", "By the numbers that 'baton config history' shows; 0 is before the first change.", ""},
        footer = {
            "",
            "Examples:",
            "  baton config diff            what the last change changed",
            "  baton config diff 12         what has changed since change 12",
            "  baton config diff 12 15",
            "",
            "Exit status: 0, also if nothing differs; 64 usage, 69 the store cannot be reached"
        })
final class DiffCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Mixin
    Reveal reveal;

    @Parameters(index = "0", paramLabel = "FROM", arity = "0..1", description = "Default: the last but one.")
    @Nullable
    Long from;

    @Parameters(index = "1", paramLabel = "TO", arity = "0..1", description = "Default: the last one.")
    @Nullable
    Long to;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return space.open(this::print);
    }

    private int print(ConfigStore store) throws InterruptedException {
        long end = to != null ? to : Newest.change(store);
        long begin = from != null ? from : Math.max(0, end - 1);
        List<KeyChange> changes = store.diff(begin, end);
        PrintWriter out = spec.commandLine().getOut();
        Shown shown = reveal.shown();
        if (space.json) {
            out.println(new JsonObject()
                    .number("from", begin)
                    .number("to", end)
                    .raw("changes", shown.json(changes))
                    .end());
        } else if (changes.isEmpty()) {
            out.println("nothing differs between change " + begin + " and change " + end);
        } else {
            changes.forEach(change -> out.println(shown.change(change)));
        }
        return Exit.OK;
    }
}
