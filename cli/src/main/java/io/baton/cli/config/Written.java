package io.baton.cli.config;

import io.baton.config.ConfigCommit;
import io.baton.config.ConfigEntry;
import io.baton.config.ConfigStore;
import io.baton.config.KeyChange;
import java.io.PrintWriter;
import java.util.List;

/** Tells of a change that has been written. */
final class Written {

    private Written() {}

    /** As the history has it. */
    static void tell(PrintWriter out, boolean json, ConfigStore store, ConfigCommit commit)
            throws InterruptedException {
        List<KeyChange> changes =
                store.change(commit.change()).map(ConfigEntry::changes).orElse(List.of());
        Shown shown = Shown.discreet();
        if (json) {
            out.println(new Json()
                    .number("change", commit.change())
                    .number("revision", commit.revision())
                    .raw("changes", shown.json(changes))
                    .end());
            return;
        }
        changes.forEach(change -> out.println(shown.change(change)));
        out.println("change " + commit.change() + ", revision " + commit.revision());
    }

    /** What would be written. */
    static void tellOnly(PrintWriter out, boolean json, List<KeyChange> changes) {
        Shown shown = Shown.discreet();
        if (json) {
            out.println(new Json().raw("changes", shown.json(changes)).end());
        } else if (changes.isEmpty()) {
            out.println("nothing to change");
        } else {
            changes.forEach(change -> out.println(shown.change(change)));
            out.println("nothing written: --dry-run");
        }
    }
}
