package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.cli.Grid;
import io.baton.cli.JsonObject;
import io.baton.cli.Text;
import io.baton.config.ConfigStore;
import io.baton.config.ConfigValue;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton config list}. */
@Command(
        name = "list",
        sortOptions = false,
        customSynopsis = "baton config list [--connect URI] [--space TREE] [--values] [--reveal] [--json] [PREFIX]",
        header = "Lists keys.",
        description = {"", "All that begin with PREFIX, as they were together at one moment.", ""},
        footer = {
            "",
            "For people long values are cut; --json has them whole: an array of objects with key, value,",
            "revision and secret.",
            "",
            "Exit status: 0, also if there are none; 64 usage, 69 the store cannot be reached"
        })
final class ListCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Option(names = "--values", description = "With their values.")
    boolean values;

    @Mixin
    Reveal reveal;

    @Parameters(paramLabel = "PREFIX", arity = "0..1", defaultValue = "", description = "What they begin with.")
    String prefix;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return space.open(store -> {
            print(spec.commandLine().getOut(), store);
            return Exit.OK;
        });
    }

    private void print(PrintWriter out, ConfigStore store) throws InterruptedException {
        Collection<ConfigValue> all = store.list(prefix).values();
        if (space.json) {
            out.println(JsonObject.lines(all.stream().map(this::json).toList()));
        } else if (all.isEmpty()) {
            out.println("no keys in '" + space.tree + "'" + (prefix.isEmpty() ? "" : " that begin so"));
        } else {
            Grid.lines(rows(all)).forEach(out::println);
        }
    }

    private List<List<String>> rows(Collection<ConfigValue> all) {
        var rows = new ArrayList<List<String>>();
        rows.add(row("KEY", "REVISION", "VALUE"));
        Shown shown = reveal.shown();
        for (ConfigValue each : all) {
            rows.add(row(
                    Text.visible(each.key()),
                    Long.toString(each.revision()),
                    shown.value(Optional.of(each.text()), each.secret())));
        }
        return rows;
    }

    private List<String> row(String key, String revision, String value) {
        return values ? List.of(key, revision, value) : List.of(key, revision);
    }

    private String json(ConfigValue value) {
        JsonObject json = new JsonObject().text("key", value.key());
        if (values) {
            json.text("value", reveal.shown().masked(Optional.of(value.text()), value.secret()));
        }
        return json.number("revision", value.revision())
                .flag("secret", value.secret())
                .end();
    }
}
