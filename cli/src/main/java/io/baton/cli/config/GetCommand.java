package io.baton.cli.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.JsonObject;
import io.baton.cli.Report;
import io.baton.cli.StandardOutput;
import io.baton.config.ConfigStore;
import io.baton.config.ConfigValue;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton config get}. */
@Command(
        name = "get",
        sortOptions = false,
        customSynopsis = "baton config get [--connect URI] [--space TREE] [--reveal] [--json] KEY",
        header = "Prints a key's value.",
        description = {
            "",
            "Into a pipe or a file exactly as it is stored; on a terminal with a line end, and with signs",
            "that would command the terminal shown as \\u.... Of a value that is marked secret nothing is",
            "printed without --reveal; --json has null in its place.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton config get payments.yaml >payments.yaml",
            "  baton config get --json timeout | jq .revision         for 'set --expect'",
            "",
            "Exit status: 0; 1 if there is no such key, 64 usage, 69 the store cannot be reached,",
            "77 the value is secret, without --reveal"
        })
final class GetCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Mixin
    Reveal reveal;

    @Parameters(paramLabel = "KEY", description = "The key.")
    String key;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return space.open(this::print);
    }

    private int print(ConfigStore store) throws InterruptedException {
        Optional<ConfigValue> value = store.get(key);
        PrintWriter out = spec.commandLine().getOut();
        if (space.json) {
            out.println(json(value));
        } else if (value.isPresent()) {
            print(out, value.orElseThrow());
        } else {
            Report.line("there is no '" + key + "' in '" + space.tree + "'");
        }
        return SpaceOptions.found(value.isPresent());
    }

    private void print(PrintWriter out, ConfigValue value) {
        if (reveal.shown().hides(value.secret())) {
            // A word in its place would be taken for the value by a script.
            throw new Failure(Exit.HIDDEN, "'" + key + "' is secret: --reveal shows it");
        }
        StandardOutput.print(out, value.text().getBytes(UTF_8));
    }

    private String json(Optional<ConfigValue> value) {
        boolean secret = value.map(ConfigValue::secret).orElse(false);
        return new JsonObject()
                .text("key", key)
                .text("value", reveal.shown().masked(value.map(ConfigValue::text), secret))
                .raw(
                        "revision",
                        value.map(each -> Long.toString(each.revision())).orElse("null"))
                .flag("secret", secret)
                .end();
    }
}
