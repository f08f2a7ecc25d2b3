package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Spelling;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigPreview;
import io.baton.config.ConfigStore;
import io.baton.config.ConfigValue;
import io.baton.config.KeyChange;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton config import}. */
@Command(
        name = "import",
        sortOptions = false,
        customSynopsis = "baton config import [--connect URI] [--space TREE] [--format FORMAT] [--dry-run]%n"
                + "                    [--delete-missing] [--secret KEY]... [--in-parts] [--author NAME]%n"
                + "                    [--comment TEXT] [--json] FILE",
        header = "Writes all keys of a file at once, or none.",
        description = {
            "",
            "Keys that have their value already are not written. What does not fit into one transaction of the",
            "store is refused, also with --dry-run, unless --in-parts is given: then it is written in parts, in",
            "the order of the keys. Services may see the state between two of them. If that ends half way, the",
            "same command writes the rest.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton config import --dry-run shop.yaml",
            "",
            "--delete-missing leaves secret keys alone: an export without --reveal lacks them. Keys that are",
            "secret where they were exported are marked secret, also those whose values were left out.",
            "",
            "Exit status: 0, also if there is nothing to change; 64 usage, or the file is refused,",
            "69 the store cannot be reached, 75 somebody else has written meanwhile"
        })
final class ImportCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES}. Default: by the file's name, which ends in .json, .yaml, .yml or"
                    + " .properties; json for stdin.")
    @Nullable
    FileFormat format;

    @Option(names = "--dry-run", description = "Write nothing; show what would be changed.")
    boolean dryRun;

    @Option(names = "--delete-missing", description = "Delete keys that the file does not have.")
    boolean deleteMissing;

    @Option(
            names = "--secret",
            paramLabel = "KEY",
            description = "This key's value is secret; the file has the key. May be given for several.")
    Set<String> secret = new LinkedHashSet<>();

    @Mixin
    InParts inParts;

    @Mixin
    Signature signature;

    @Parameters(paramLabel = "FILE", description = "What 'baton config export' has written; - is stdin.")
    String path;

    @Spec
    CommandSpec spec;

    private final InputStream stdin;

    ImportCommand(InputStream stdin) {
        this.stdin = stdin;
    }

    @Override
    public Integer call() throws InterruptedException {
        Exported file = read();
        checkSecret(file);
        return space.open(store -> write(store, file));
    }

    private Exported read() {
        boolean piped = path.equals("-");
        FileFormat as = format != null ? format : piped ? FileFormat.json : byName();
        String text = piped ? Input.stream(stdin) : Input.file(path, "'" + path + "'");
        try {
            return Exported.read(text, as);
        } catch (Failure malformed) {
            throw Failure.usage((piped ? "stdin" : "'" + path + "'") + ": " + Failure.text(malformed));
        }
    }

    /** A guess that is wrong would write what the file does not say, and delete all that it does. */
    private FileFormat byName() {
        return FileFormat.of(path)
                .orElseThrow(() -> Failure.usage(
                        "the name '" + path + "' does not tell the format: say --format json, yaml or properties"));
    }

    /** A misspelt key would leave the value that was meant unmarked. */
    private void checkSecret(Exported file) {
        var keys = new TreeSet<>(file.values().keySet());
        keys.addAll(file.secrets());
        for (String key : secret) {
            if (!keys.contains(key)) {
                // What is behind a '=' may be a value.
                String name = key.replaceFirst("(?s)=.*", "");
                List<String> like = Spelling.like(name, keys);
                throw Failure.usage("--secret: there is no key '" + name + "' in "
                        + (path.equals("-") ? "stdin" : "'" + path + "'")
                        + (like.isEmpty() ? "" : "; did you mean '" + String.join("' or '", like) + "'?"));
            }
        }
    }

    private int write(ConfigStore store, Exported all) throws InterruptedException {
        SortedMap<String, ConfigValue> present = store.list("");
        ConfigEdit edit = inParts.allow(signature.sign(store.edit()).timeout(space.timeout));
        for (KeyChange change : new Merge(present, all.values(), all.secrets()).changes(deleteMissing)) {
            change.now().ifPresentOrElse(text -> edit.put(change.key(), text), () -> edit.delete(change.key()));
            ConfigValue was = present.get(change.key());
            edit.expect(change.key(), was == null ? 0 : was.revision());
        }
        all.secrets().forEach(edit::secret);
        secret.forEach(edit::secret);
        PrintWriter out = spec.commandLine().getOut();
        ConfigPreview preview = edit.preview();
        if (dryRun || preview.changes().isEmpty()) {
            Written.printPreview(out, space.json, preview);
        } else {
            Written.commit(out, space.json, store, edit);
        }
        return Exit.OK;
    }
}
