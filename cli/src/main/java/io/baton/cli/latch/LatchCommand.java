package io.baton.cli.latch;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.JsonObject;
import io.baton.cli.StoreConnection;
import io.baton.cli.Text;
import io.baton.recipes.Latch;
import io.baton.recipes.LatchState;
import io.baton.spi.Names;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton latch}. */
@Command(
        name = "latch",
        sortOptions = false,
        customSynopsis = "baton latch [--connect URI] [--timeout 10s]%n"
                + "                   [--open N | --count-down ID | --await DURATION | --reset] [--json] NAME",
        header = "Shows, opens, counts down, waits for or resets a latch.",
        description = {
            "",
            "A latch is released once as many have counted down as it was opened for. Prints who has, after",
            "what was asked for has been done.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton latch migrated",
            "  baton latch --open 3 migrated",
            "  baton latch --count-down shard-1 migrated     safe to repeat: counts shard-1 once",
            "  baton latch --await 10m migrated && ./serve",
            "  baton latch --reset migrated                  begins the next round",
            "",
            "--json prints one object with round, count, counted, released, and changed: whether the latch was.",
            "",
            "Exit status: 0, also if it was open, or ID had counted, before; or",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached, or it is not known whether the change was applied",
            "   75  it is open for another number, or not open, or was not released in the time to wait"
        })
public final class LatchCommand implements Callable<Integer> {

    @Mixin
    StoreConnection store;

    @Option(names = "--open", paramLabel = "N", description = "Open it in this round, for so many to count down.")
    @Nullable
    Integer open;

    @Option(names = "--count-down", paramLabel = "ID", description = "Count this one down: once in each round.")
    @Nullable
    String countDown;

    @Option(
            names = "--await",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description = "Wait until this round is released, but no longer than this.")
    @Nullable
    Duration await;

    @Option(names = "--reset", description = "Begin the next round, in which it has to be opened again.")
    boolean reset;

    @Option(names = "--json", description = "For programs.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Parameters(paramLabel = "NAME", description = "The latch.")
    String name;

    @Spec
    CommandSpec spec;

    /** For the command line parser. */
    public LatchCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        Names.check(name);
        if (Stream.of(open, countDown, await, reset ? "reset" : null)
                        .filter(Objects::nonNull)
                        .count()
                > 1) {
            throw Failure.usage("--open, --count-down, --await and --reset are mutually exclusive");
        }
        try (Coordinator baton = store.connect("baton latch")) {
            Latch latch = Latch.named(baton, name);
            boolean changed = act(latch);
            LatchState state = latch.state();
            spec.commandLine().getOut().println(json ? json(state, changed) : text(state));
        }
        return Exit.OK;
    }

    private boolean act(Latch latch) throws InterruptedException {
        try {
            if (open != null) {
                return latch.open(open);
            }
            if (countDown != null) {
                return latch.countDown(countDown);
            }
        } catch (CoordinationException refused) {
            throw Failure.conflictOr(refused);
        }
        if (await != null && !latch.await(await)) {
            throw new Failure(
                    Exit.NOT_ACQUIRED, "latch '" + name + "' was not released in time; " + text(latch.state()));
        }
        if (reset) {
            latch.reset();
        }
        return reset;
    }

    private static String text(LatchState state) {
        if (!state.isOpen()) {
            return "round " + state.round() + ": not open";
        }
        String who = state.counted().isEmpty() ? "" : ": " + String.join(", ", state.counted());
        return Text.line("round " + state.round() + (state.isReleased() ? ": released, " : ": ")
                + state.counted().size() + " of " + state.count() + " have counted down" + who);
    }

    private static String json(LatchState state, boolean changed) {
        return new JsonObject()
                .number("round", state.round())
                .number("count", state.count())
                .array("counted", state.counted(), JsonObject::quoted)
                .flag("released", state.isReleased())
                .flag("changed", changed)
                .end();
    }
}
