package io.baton.cli.config;

import io.baton.CoordinationException;
import io.baton.cli.Failure;
import io.baton.cli.JsonObject;
import io.baton.cli.Report;
import io.baton.cli.StoreCall;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigException;
import io.baton.config.ConfigPreview;
import io.baton.config.ConfigStore;
import io.baton.config.KeyChange;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** Reports a change that was written. */
final class Written {

    private Written() {}

    /** Prints the change as the history shows it. It is written, so it is no failure if that cannot be read. */
    static void print(PrintWriter out, boolean json, ConfigStore store, ConfigCommit commit)
            throws InterruptedException {
        Optional<Whole> whole;
        try {
            whole = Whole.with(store, commit.change());
        } catch (CoordinationException unread) {
            printAlone(out, json, commit);
            Report.line("what it changed could not be read: " + Failure.text(unread));
            return;
        }
        List<KeyChange> changes = whole.map(Whole::changes).orElse(List.of());
        Shown shown = Shown.discreet();
        if (json) {
            JsonObject object = object(commit);
            whole.flatMap(Whole::part).ifPresent(part -> object.number("parts", part.total()));
            out.println(object.raw("changes", shown.json(changes)).end());
            return;
        }
        changes.forEach(change -> out.println(shown.change(change)));
        String numbers = whole.map(Whole::numbers).orElse(Long.toString(commit.change()));
        String parts = whole.flatMap(Whole::told).map(told -> " in " + told).orElse("");
        out.println("change " + numbers + parts + ", revision " + commit.revision());
    }

    private static void printAlone(PrintWriter out, boolean json, ConfigCommit commit) {
        out.println(
                json
                        ? object(commit).raw("changes", "null").end()
                        : "change " + commit.change() + ", revision " + commit.revision());
    }

    private static JsonObject object(ConfigCommit commit) {
        return new JsonObject().number("change", commit.change()).number("revision", commit.revision());
    }

    /** Writes; returns empty if it is refused since another client has just written the same. */
    static <T> Optional<T> unlessWritten(ConfigEdit edit, StoreCall<T> write) throws InterruptedException {
        try {
            return Optional.of(write.run());
        } catch (ConfigException refused) {
            if (isWritten(edit)) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    private static boolean isWritten(ConfigEdit edit) throws InterruptedException {
        try {
            return edit.preview().changes().isEmpty();
        } catch (CoordinationException unknown) {
            return false;
        }
    }

    /** Writes the change and prints it, or that there is nothing to change. */
    static void commit(PrintWriter out, boolean json, ConfigStore store, ConfigEdit edit) throws InterruptedException {
        Optional<ConfigCommit> commit = unlessWritten(edit, edit::commit);
        if (commit.isPresent()) {
            print(out, json, store, commit.get());
        } else {
            printNothing(out, json);
        }
    }

    /** Prints a change that would be written. */
    static void printPreview(PrintWriter out, boolean json, ConfigPreview preview) {
        Shown shown = Shown.discreet();
        List<KeyChange> changes = preview.changes();
        int parts = preview.transactions();
        if (changes.isEmpty()) {
            printNothing(out, json);
        } else if (json) {
            JsonObject object = new JsonObject().raw("changes", shown.json(changes));
            out.println((parts > 1 ? object.number("parts", parts) : object).end());
        } else {
            changes.forEach(change -> out.println(shown.change(change)));
            out.println("nothing written: --dry-run" + (parts > 1 ? "; it takes " + parts + " parts" : ""));
        }
    }

    /** Prints that everything is as it would be after the change. */
    static void printNothing(PrintWriter out, boolean json) {
        out.println(json ? new JsonObject().raw("changes", "[]").end() : "nothing to change");
    }
}
