package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.cli.Report;
import io.baton.config.ConfigStore;
import io.baton.config.ConfigValue;
import java.io.PrintWriter;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code baton config export}. */
@Command(
        name = "export",
        sortOptions = false,
        customSynopsis = "baton config export [--connect URI] [--space TREE] [--format FORMAT] [--reveal] > FILE",
        header = "Prints all keys with their values, for 'baton config import'.",
        description = {
            "",
            "As they were together at one moment. Secret values are left out without --reveal; that their keys",
            "are secret is written at the key $secrets, and 'baton config import' marks them.",
            ""
        },
        footer = {"", "Exit status: 0; 64 usage, 69 the store cannot be reached"})
final class ExportCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "json",
            description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    FileFormat format;

    @Mixin
    Reveal reveal;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return space.open(this::export);
    }

    private int export(ConfigStore store) throws InterruptedException {
        var values = new TreeMap<String, String>();
        var secrets = new TreeSet<String>();
        int hidden = 0;
        for (ConfigValue value : store.list("").values()) {
            if (value.secret()) {
                secrets.add(value.key());
            }
            if (reveal.shown().hides(value.secret())) {
                hidden++;
            } else {
                values.put(value.key(), value.text());
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(new Exported(values, secrets).write(format));
        out.flush();
        if (hidden > 0) {
            Report.line("secret values left out: " + hidden + "; --reveal writes them, too");
        } else if (!secrets.isEmpty()) {
            Report.line("secret values written: " + secrets.size());
        }
        return Exit.OK;
    }
}
