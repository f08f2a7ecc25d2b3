package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.cli.Report;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigStore;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton config delete}. */
@Command(
        name = "delete",
        sortOptions = false,
        customSynopsis = "baton config delete [--connect URI] [--space TREE] [--author NAME]%n"
                + "                     [--comment TEXT] [--json] KEY...",
        header = "Removes keys: all at once, or none.",
        description = {"", "'baton config rollback' brings them back.", ""},
        footer = {"", "Exit status: 0; 1 if one of them is not there, 64 usage, 69 the store cannot be reached"})
final class DeleteCommand implements Callable<Integer> {

    @Mixin
    Space space;

    @Mixin
    Signature signature;

    @Parameters(paramLabel = "KEY", arity = "1..*", description = "The keys.")
    List<String> keys;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return space.open(this::delete);
    }

    private int delete(ConfigStore store) throws InterruptedException {
        ConfigEdit edit = signature.sign(store.edit()).timeout(space.timeout);
        for (String key : keys) {
            if (store.get(key).isEmpty()) {
                Report.line("there is no '" + key + "' in '" + space.tree + "'; nothing was deleted");
                return Exit.ABSENT;
            }
            edit.delete(key);
        }
        Written.tell(spec.commandLine().getOut(), space.json, store, edit.commit());
        return Exit.OK;
    }
}
