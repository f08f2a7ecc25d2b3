package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.JsonObject;
import io.baton.config.ConfigRetention;
import io.baton.config.ConfigStore;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code baton config retain}. */
@Command(
        name = "retain",
        sortOptions = false,
        customSynopsis = "baton config retain [--connect URI] [--space TREE] [--changes N] [--bytes SIZE] [--json]",
        header = "Says how much of the history is kept, and shows how much there is.",
        description = {
            "",
            "The older changes go first, now and with each change; the newest is kept whatever it takes. A",
            "change takes the bytes of its values as they were before and after. At first 1000 changes are",
            "kept, and 16M of them.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton config retain                          shows it",
            "  baton config retain --changes 200 --bytes 32M",
            "",
            "--json prints an object with changes, bytes, keptChanges and keptBytes.",
            "",
            "Exit status: 0; 64 usage, 69 the store cannot be reached"
        })
final class RetainCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Option(names = "--changes", paramLabel = "N", description = "How many changes are kept at most.")
    @Nullable
    Integer changes;

    @Option(
            names = "--bytes",
            paramLabel = "SIZE",
            converter = Bytes.class,
            description = "How many bytes of them, as 16M, 500K or 1G.")
    @Nullable
    Long bytes;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if ((changes != null && changes < 1) || (bytes != null && bytes < 1)) {
            throw Failure.usage("--changes and --bytes must be at least 1");
        }
        return space.open(this::retain);
    }

    private int retain(ConfigStore store) throws InterruptedException {
        ConfigRetention now = store.retention();
        if (changes != null || bytes != null) {
            store.retain(changes == null ? now.changes() : changes, bytes == null ? now.bytes() : bytes);
            now = store.retention();
        }
        PrintWriter out = spec.commandLine().getOut();
        if (space.json) {
            out.println(new JsonObject()
                    .number("changes", now.changes())
                    .number("bytes", now.bytes())
                    .number("keptChanges", now.keptChanges())
                    .number("keptBytes", now.keptBytes())
                    .end());
        } else {
            out.println("keeps " + now.changes() + " changes, and " + Bytes.format(now.bytes()) + " of them; there are "
                    + now.keptChanges() + ", of " + Bytes.format(now.keptBytes()));
        }
        return Exit.OK;
    }
}
