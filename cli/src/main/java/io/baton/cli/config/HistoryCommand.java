package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.JsonObject;
import io.baton.cli.Text;
import io.baton.config.ConfigEntry;
import io.baton.config.ConfigStore;
import io.baton.config.KeyChange;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton config history}. */
@Command(
        name = "history",
        sortOptions = false,
        customSynopsis = "baton config history [--connect URI] [--space TREE] [--limit 20] [--reveal] [--json] [KEY]",
        header = "Shows who changed what, when, and why.",
        description = {"", "The newest change first; with KEY those that touched it.", ""},
        footer = {
            "",
            "A change that was written in parts (--in-parts) is one, with the numbers of its first and last.",
            "",
            "--json prints an array of objects with change, revision, time (UTC), author, comment, changes;",
            "those in parts with id, first (the number of the first part that is kept), part and parts, too:",
            "part is the last one that was written, and less than parts if the change is unfinished.",
            "What was written without baton, as by zkCli or etcdctl, has no place in the history.",
            "",
            "Exit status: 0, also if there is none; 64 usage, 69 the store cannot be reached"
        })
final class HistoryCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = "No more than this many. Default: ${DEFAULT-VALUE}.")
    int limit;

    @Mixin
    Reveal reveal;

    @Parameters(paramLabel = "KEY", arity = "0..1", description = "Changes of this key only.")
    @Nullable
    String key;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (limit < 1) {
            throw Failure.usage("--limit must be at least 1");
        }
        return space.open(store -> {
            print(spec.commandLine().getOut(), changes(store));
            return Exit.OK;
        });
    }

    private List<Whole> changes(ConfigStore store) throws InterruptedException {
        if (key == null) {
            return Whole.last(store, limit);
        }
        return Whole.of(store.history(Integer.MAX_VALUE)).stream()
                .filter(whole -> whole.changes().stream().anyMatch(this::asked))
                .limit(limit)
                .toList();
    }

    private boolean asked(KeyChange change) {
        return key == null || change.key().equals(key);
    }

    private void print(PrintWriter out, List<Whole> changes) {
        if (space.json) {
            out.println(JsonObject.lines(changes.stream().map(this::json).toList()));
        } else if (changes.isEmpty()) {
            out.println("no changes in '" + space.tree + "'" + (key == null ? "" : " of this key"));
        } else {
            changes.forEach(whole -> print(out, whole));
        }
    }

    private void print(PrintWriter out, Whole whole) {
        ConfigEntry entry = whole.newest();
        out.println(whole.numbers() + "  " + Shown.time(entry.time()) + "  " + Text.line(entry.author())
                + (entry.comment().isEmpty() ? "" : "  " + Text.line(entry.comment()))
                + whole.told().map(parts -> "  (" + parts + ")").orElse(""));
        Shown shown = reveal.shown();
        whole.changes().stream().filter(this::asked).forEach(change -> out.println("    " + shown.change(change)));
    }

    private String json(Whole whole) {
        ConfigEntry entry = whole.newest();
        JsonObject json = new JsonObject()
                .number("change", entry.change())
                .number("revision", entry.revision())
                .text("time", entry.time().toString())
                .text("author", entry.author())
                .text("comment", entry.comment());
        whole.part()
                .ifPresent(part -> json.text("id", part.of())
                        .number("first", whole.oldest().change())
                        .number("part", part.number())
                        .number("parts", part.total()));
        return json.raw(
                        "changes",
                        reveal.shown()
                                .json(whole.changes().stream()
                                        .filter(this::asked)
                                        .toList()))
                .end();
    }
}
