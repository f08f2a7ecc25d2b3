package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.config.Canary;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigPreview;
import io.baton.config.ConfigStore;
import io.baton.config.ConfigValue;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton config set}. */
@Command(
        name = "set",
        sortOptions = false,
        customSynopsis = "baton config set [--connect URI] [--space TREE] [--expect REVISION] [--secret]%n"
                + "                  [--in-parts] [--author NAME] [--comment TEXT] [--json] KEY VALUE | KEY=VALUE...%n"
                + "       baton config set --canary 20%% [--label NAME=VALUE]... [--promote-after 30s] KEY=VALUE...",
        header = "Writes values: all that are given at once, or none.",
        description = {
            "",
            "Prints what has changed, and the change's number and revision. A document (a key that ends",
            "with .json, .yaml, .yml or .properties) that is malformed is refused, with line and column.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton config set timeout 5s --comment 'slow bank'",
            "  baton config set payments.yaml @payments.yaml    a file (@@x is the value @x)",
            "  pass show db | baton config set db.password - --secret      - is stdin",
            "  baton config set timeout 5s --expect 4711        only if it is of this revision; 0: absent",
            "  baton config set timeout 5s --canary 20%% --label zone=a --promote-after 30s",
            "",
            "The line end of a single line from a file or stdin is no part of the value.",
            "",
            "--canary puts the change into use in that share of the instances that bear the labels, and are",
            "there now; 'baton config canary promote' makes it one for all, 'abort' takes it back.",
            "--promote-after does that by itself: it looks on for that long, asks the chosen instances, and",
            "promotes if each answers that it runs it and has nothing against it. It aborts at once if one",
            "rejects it, or then if one is gone, was restarted or does not answer. --lasts is for when this",
            "command does not live to see that: the instances themselves take it back then.",
            "",
            "Exit status: 0; or",
            "   64  the command line makes no sense, or a value is refused",
            "   69  the store cannot be reached",
            "   75  somebody else has written (--expect); or there is a canary already, or it was taken back,",
            "       and why"
        })
final class SetCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Option(
            names = "--expect",
            paramLabel = "REVISION",
            description = "Only if the key is of this revision; 0: if there is no such key.")
    @Nullable
    Long expect;

    @Option(names = "--secret", description = "The values are secret from now on: shown with --reveal only.")
    boolean secret;

    @Option(names = "--not-secret", description = "They are secret no more.")
    boolean notSecret;

    @Mixin
    InParts inParts;

    @Mixin
    Signature signature;

    @Mixin
    CanaryOptions canary;

    @Parameters(paramLabel = "KEY VALUE | KEY=VALUE", arity = "0..*", description = "What to write; see below.")
    List<String> args = List.of();

    @Spec
    CommandSpec spec;

    private final InputStream stdin;

    /** Reads values from this stream if told to. */
    SetCommand(InputStream stdin) {
        this.stdin = stdin;
    }

    @Override
    public Integer call() throws InterruptedException {
        Misspelt.check(spec, args);
        canary.check();
        if (secret && notSecret) {
            throw Failure.usage("--secret and --not-secret are mutually exclusive");
        }
        Map<String, String> values = Assignments.parse(args, stdin);
        if (expect != null && values.size() > 1) {
            throw Failure.usage("--expect goes with one key");
        }
        return space.open(store -> write(store, values));
    }

    private int write(ConfigStore store, Map<String, String> values) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        ConfigEdit edit = inParts.allow(signature.sign(store.edit()).timeout(space.timeout));
        values.forEach((key, text) -> put(edit, key, text));
        try {
            ConfigPreview preview = edit.preview();
            if (preview.changes().isEmpty()) {
                // Setting a value that is already there is no error.
                Written.printNothing(out, space.json);
            } else if (canary.given()) {
                return begin(out, store, edit);
            } else {
                Written.commit(out, space.json, store, edit);
            }
            return Exit.OK;
        } catch (ConfigConflictException meanwhile) {
            if (expect == null) {
                throw meanwhile;
            }
            String key = values.keySet().iterator().next();
            Optional<ConfigValue> there = store.get(key);
            boolean asExpected = expect.equals(there.map(ConfigValue::revision).orElse(0L));
            throw asExpected ? meanwhile : notExpected(key, there);
        }
    }

    private int begin(PrintWriter out, ConfigStore store, ConfigEdit edit) throws InterruptedException {
        Optional<Canary> begun =
                Written.unlessWritten(edit, () -> edit.canary(canary.labels(), canary.percent(), canary.lasts()));
        if (begun.isPresent()) {
            return canary.goOn(out, space.json, store, begun.get());
        }
        Written.printNothing(out, space.json);
        return Exit.OK;
    }

    private void put(ConfigEdit edit, String key, String text) {
        edit.put(key, text);
        if (secret) {
            edit.secret(key);
        } else if (notSecret) {
            edit.notSecret(key);
        }
        if (expect != null) {
            edit.expect(key, expect);
        }
    }

    private static Failure notExpected(String key, Optional<ConfigValue> there) {
        Shown shown = Shown.discreet();
        return new Failure(
                Exit.CONFLICT,
                "not written: '" + key + "' "
                        + there.map(value -> "is "
                                        + shown.value(Optional.of(value.text()), value.secret())
                                        + " of revision " + value.revision())
                                .orElse("is not there"));
    }
}
