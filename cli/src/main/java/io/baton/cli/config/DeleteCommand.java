package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.cli.Report;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigStore;
import io.baton.config.KeyChange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton config delete}. */
@Command(
        name = "delete",
        sortOptions = false,
        customSynopsis = "baton config delete [--connect URI] [--space TREE] [--in-parts]%n"
                + "                     [--author NAME] [--comment TEXT] [--json] KEY...",
        header = "Removes keys: all at once, or none.",
        description = {"", "'baton config rollback' brings them back.", ""},
        footer = {"", "Exit status: 0; 1 if one of them is not there, 64 usage, 69 the store cannot be reached"})
final class DeleteCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Mixin
    InParts inParts;

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
        ConfigEdit edit = inParts.allow(signature.sign(store.edit()).timeout(space.timeout));
        keys.forEach(edit::delete);
        Set<String> there =
                edit.preview().changes().stream().map(KeyChange::key).collect(Collectors.toSet());
        for (String key : keys) {
            if (!there.contains(key)) {
                return absent(key);
            }
        }
        Optional<ConfigCommit> commit = Written.unlessWritten(edit, edit::commit);
        if (commit.isEmpty()) {
            return absent(keys.get(0)); // another client has just deleted them
        }
        Written.print(spec.commandLine().getOut(), space.json, store, commit.get());
        return Exit.OK;
    }

    private int absent(String key) {
        Report.line("there is no '" + key + "' in '" + space.tree + "'; nothing was deleted");
        return Exit.ABSENT;
    }
}
