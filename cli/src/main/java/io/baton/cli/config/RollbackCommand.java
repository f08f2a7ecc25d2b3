package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigStore;
import io.baton.config.ConfigValue;
import io.baton.config.KeyChange;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
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
        customSynopsis = "baton config rollback [--connect URI] [--space TREE] [--dry-run] [--author NAME]%n"
                + "                       [--comment TEXT] [--json] CHANGE",
        header = "Brings back the values as they were after an earlier change.",
        description = {
            "",
            "That is a change, too: it has a number, and can be rolled back. What was written without baton",
            "is left as it is, unless a change since then has touched the same key.",
            ""
        },
        footer = {
            "",
            "Exit status: 0, also if there is nothing to change; 64 the history does not reach back so far,",
            "69 the store cannot be reached, 75 somebody else has written meanwhile"
        })
final class RollbackCommand implements Callable<Integer> {

    @Mixin
    Space space;

    @Option(names = "--dry-run", description = "Write nothing; show what would be changed.")
    boolean dryRun;

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
        List<KeyChange> planned = planned(store);
        if (dryRun || planned.isEmpty()) {
            Written.tellOnly(out, space.json, planned);
            return Exit.OK;
        }
        ConfigEdit edit = signature.sign(store.rollback(change)).timeout(space.timeout);
        Written.tell(out, space.json, store, edit.commit());
        return Exit.OK;
    }

    /** From what is there now, which somebody may have written without us, to what was there then. */
    private List<KeyChange> planned(ConfigStore store) throws InterruptedException {
        List<KeyChange> since = store.diff(Newest.change(store), change);
        SortedMap<String, ConfigValue> present = store.list("");
        return since.stream()
                .map(back -> new KeyChange(
                        back.key(),
                        Optional.ofNullable(present.get(back.key())).map(ConfigValue::text),
                        back.now(),
                        back.secret()))
                .filter(back -> !back.before().equals(back.now()))
                .toList();
    }
}
