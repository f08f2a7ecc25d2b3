package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigPreview;
import io.baton.config.ConfigStore;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton config rollback}. */
@Command(
        name = "rollback",
        sortOptions = false,
        customSynopsis = "baton config rollback [--connect URI] [--space TREE] [--dry-run] [--in-parts]%n"
                + "                      [--author NAME] [--comment TEXT] [--json] CHANGE",
        header = "Brings back the values as they were after an earlier change.",
        description = {
            "",
            "That is a change, too: it has a number, and can be rolled back. What was written without baton",
            "is left as it is, unless a change since then has touched the same key. What does not fit into one",
            "transaction of the store is refused, also with --dry-run, unless --in-parts is given: then it is",
            "written in parts, in the order of the keys. Services may see the state between two of them. If",
            "that ends half way, the same command writes the rest.",
            ""
        },
        footer = {
            "",
            "Exit status: 0, also if there is nothing to change; 64 the history does not reach back so far,",
            "69 the store cannot be reached, 75 somebody else has written meanwhile"
        })
final class RollbackCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Option(names = "--dry-run", description = "Write nothing; show what would be changed.")
    boolean dryRun;

    @Mixin
    InParts inParts;

    @Mixin
    Signature signature;

    @Parameters(paramLabel = "CHANGE", description = "Its number; 0: before the first one.")
    long change;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return space.open(this::rollBack);
    }

    private int rollBack(ConfigStore store) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        ConfigEdit edit = inParts.allow(signature.sign(store.rollback(change)).timeout(space.timeout));
        ConfigPreview preview = edit.preview();
        if (dryRun || preview.changes().isEmpty()) {
            Written.printPreview(out, space.json, preview);
        } else {
            Written.commit(out, space.json, store, edit);
        }
        return Exit.OK;
    }
}
