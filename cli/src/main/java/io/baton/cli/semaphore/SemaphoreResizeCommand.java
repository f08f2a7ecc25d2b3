package io.baton.cli.semaphore;

import io.baton.Coordinator;
import io.baton.DistributedSemaphore;
import io.baton.SemaphoreView;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.JsonObject;
import io.baton.cli.StoreConnection;
import io.baton.cli.Text;
import io.baton.spi.Names;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton semaphore resize}. */
@Command(
        name = "resize",
        sortOptions = false,
        customSynopsis = "baton semaphore resize [--connect URI] [--timeout 10s] [--json] NAME EXPECTED SIZE",
        header = "Changes the size of a semaphore, if it is the expected one.",
        description = {
            "",
            "Growing serves those who wait within about two seconds. Shrinking takes no permit away: none is",
            "granted until those that are out fit. Programs and commands that ask for the first size go on",
            "as they are; the others have to ask for the new one from now on.",
            ""
        },
        footer = {
            "",
            "Example:",
            "  baton semaphore resize uploads 5 8     from 5 to 8 permits",
            "",
            "--json prints one object with name, size, before (the former size) and out (the permits that were",
            "out just before).",
            "",
            "Exit status: 0 if it has this size now; or",
            "    1  the semaphore has no size yet, as nobody has asked for permits",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached, or refuses",
            "   75  it has another size than EXPECTED; nothing was changed"
        })
final class SemaphoreResizeCommand implements Callable<Integer> {

    @Mixin
    StoreConnection store;

    @Option(names = "--json", description = "For programs.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Parameters(index = "0", paramLabel = "NAME", description = "The semaphore.")
    String name;

    @Parameters(
            index = "1",
            paramLabel = "EXPECTED",
            description = "Its present size; see 'baton queue --semaphore NAME'.")
    int expected;

    @Parameters(index = "2", paramLabel = "SIZE", description = "Its next size, at least 1.")
    int size;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Names.check(name);
        if (expected < 1 || size < 1) {
            throw Failure.usage("EXPECTED and SIZE must be at least 1, not " + Math.min(expected, size));
        }
        try (Coordinator baton = store.connect("baton semaphore")) {
            int out = resize(baton.semaphore(name, expected));
            spec.commandLine().getOut().println(json ? json(out) : Text.line("'" + name + "': " + text(out)));
        }
        return Exit.OK;
    }

    /** Returns how many permits were out before. */
    private int resize(DistributedSemaphore semaphore) throws InterruptedException {
        SemaphoreView before = semaphore.view();
        if (before.size() == 0) {
            // The library would set it up, also under a name that is misspelt.
            throw new Failure(
                    Exit.ABSENT, "the semaphore '" + name + "' has no size yet: the first to ask for permits sets it");
        }
        if (!semaphore.resize(expected, size)) {
            throw new Failure(
                    Exit.CONFLICT,
                    "the size of '" + name + "' is " + semaphore.view().size() + ", not " + expected
                            + ": nothing was changed");
        }
        return before.out();
    }

    private String json(int out) {
        return new JsonObject()
                .text("name", name)
                .number("size", size)
                .number("before", expected)
                .number("out", out)
                .end();
    }

    private String text(int out) {
        String now = "size " + size + " now, " + expected + " before";
        return out > size ? now + "; " + out + " permits are out, and none is granted until they fit" : now;
    }
}
