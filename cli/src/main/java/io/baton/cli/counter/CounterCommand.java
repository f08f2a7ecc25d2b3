package io.baton.cli.counter;

import io.baton.Coordinator;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.JsonObject;
import io.baton.cli.StoreConnection;
import io.baton.cli.Text;
import io.baton.recipes.Counter;
import io.baton.spi.Names;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton counter}. */
@Command(
        name = "counter",
        sortOptions = false,
        customSynopsis = "baton counter [--connect URI] [--timeout 10s] [--add N [--once ID] | --set N --expected N]%n"
                + "                     [--json] NAME",
        header = "Shows a number that processes share, or changes it.",
        description = {
            "",
            "Prints the number, which is 0 if nobody has used the counter. A change is applied once or not at",
            "all, also if the connection breaks.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton counter visits",
            "  baton counter --add 1 visits",
            "  baton counter --add 1 --once order-4711 orders    safe to repeat: counts order-4711 once",
            "  baton counter --set 0 --expected 12 visits",
            "",
            "--json prints one object with value, and changed: whether the number was changed.",
            "",
            "Exit status: 0, also if --once has counted it before; or",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached, or it is not known whether the change was applied",
            "   75  the number is another one than --expected; nothing was changed"
        })
public final class CounterCommand implements Callable<Integer> {

    @Mixin
    StoreConnection store;

    @Option(names = "--add", paramLabel = "N", description = "Add this much; it may be negative.")
    @Nullable
    Long add;

    @Option(
            names = "--once",
            paramLabel = "ID",
            description = "Add only if no operation of this name is among the latest that were counted.")
    @Nullable
    String once;

    @Option(names = "--set", paramLabel = "N", description = "Set the number, if it is the expected one.")
    @Nullable
    Long set;

    @Option(names = "--expected", paramLabel = "N", description = "The number that --set replaces.")
    @Nullable
    Long expected;

    @Option(names = "--json", description = "For programs.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Parameters(paramLabel = "NAME", description = "The counter.")
    String name;

    @Spec
    CommandSpec spec;

    /** For the command line parser. */
    public CounterCommand() {}

    /** The number, and whether this command changed it. */
    private record Outcome(long value, boolean changed) {}

    @Override
    public Integer call() throws InterruptedException {
        Names.check(name);
        check();
        Outcome outcome;
        try (Coordinator baton = store.connect("baton counter")) {
            outcome = change(Counter.named(baton, name));
        }
        spec.commandLine().getOut().println(json ? json(outcome) : text(outcome));
        return Exit.OK;
    }

    private void check() {
        if (add != null && set != null) {
            throw Failure.usage("--add and --set are mutually exclusive");
        }
        if (once != null && add == null) {
            throw Failure.usage("--once names what --add counts: say how much to add");
        }
        if ((set == null) != (expected == null)) {
            throw Failure.usage("--set and --expected belong together: the number now, and the one before");
        }
    }

    private Outcome change(Counter counter) throws InterruptedException {
        if (set != null && expected != null) {
            if (!counter.compareAndSet(expected, set)) {
                throw new Failure(
                        Exit.CONFLICT,
                        "'" + name + "' is " + counter.get() + ", not " + expected + ": nothing was changed");
            }
            return new Outcome(set, true);
        }
        if (add == null) {
            return new Outcome(counter.get(), false);
        }
        if (once == null) {
            return new Outcome(counter.add(add), true);
        }
        boolean counted = counter.addOnce(add, once);
        return new Outcome(counter.get(), counted);
    }

    private String text(Outcome outcome) {
        String known = once != null && !outcome.changed ? "  (" + once + " had been counted)" : "";
        return Text.line(outcome.value + known);
    }

    private static String json(Outcome outcome) {
        return new JsonObject()
                .number("value", outcome.value)
                .flag("changed", outcome.changed)
                .end();
    }
}
