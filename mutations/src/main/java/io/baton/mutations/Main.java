package io.baton.mutations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command: plants changes, and tells which of them were noticed. */
@Command(
        name = "mutate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Plants small changes (PIT's) in the classes on which safety rests, one after the other, and counts those that"
                    + " unit tests notice, and those that simulations notice. A change that nobody notices is a"
                    + " breakage that could be committed.",
            "",
            "Of each change only those tests and seeds are run that run its line. What does not come to its end counts as"
                    + " noticed, and is shown as noticed by time. Changes known to change nothing"
                    + " (mutations/equivalent.tsv) do not count.",
            "",
            "Unit tests of all classes take an hour or more, their simulation longer: begin with one class.",
            "",
            "--short is what ./verify runs: a few classes, each judged by its own test alone. What it"
                    + " finds is kept apart, in mutations/target/report/short. ./verify adds --one-in 12."
        },
        footer = {
            "",
            "  ./mutate --class Evidence                           Evidence of both stores, by tests and simulation",
            "  ./mutate --class Evidence --module etcd-backend     that of etcd only",
            "  ./mutate --class ErrorClassifier --only unit        after each new test; the simulation's half is kept",
            "  ./mutate --module zk-backend --seeds 1000           all of a module, by more seeds",
            "  ./mutate --only unit --least 85                     all, with the least that is wanted",
            "  ./mutate --short                                    as ./verify does, with the least that it wants",
            "",
            "Exit status: 0 if it was played, 1 if less was noticed than --least or --short asks for, 2 if it could not"
                    + " be played. See docs/internals/verification.md."
        })
public final class Main implements Callable<Integer> {

    private enum Only {
        UNIT,
        SIMULATION
    }

    @Option(names = "--class", paramLabel = "NAME", description = "This class only; may be given several times.")
    private List<String> names = List.of();

    @Option(names = "--module", paramLabel = "M", description = "Classes of this module only, as etcd-backend.")
    private @Nullable String module;

    @Option(
            names = "--only",
            paramLabel = "HALF",
            description =
                    "unit or simulation. What is known of the other half is kept, as long as the class is the same.")
    private @Nullable Only only;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "How many seeds of the simulation, from 0 on (default: ${DEFAULT-VALUE}).")
    private int seeds = 300;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "How many changes are tried at once, each in a JVM of its own (default: 1, with --short 2).")
    private @Nullable Integer threads;

    @Option(
            names = "--least",
            paramLabel = "PERCENT",
            description = "Fails if the unit tests of a class notice less than this.")
    private int least;

    @Option(
            names = "--short",
            description = "A few classes, quickly; fails if of one of them less than " + ShortForm.LEAST_BY_TESTS
                    + " %% is noticed by its test. With --list shows which.")
    private boolean shortForm;

    @Option(
            names = "--one-in",
            paramLabel = "N",
            description = "Of so many classes one; which, changes with their code (default: ${DEFAULT-VALUE}).")
    private int oneIn = 1;

    /** The script looks at it. */
    @Option(names = "--no-build", description = "Takes what has been built, instead of building it first.")
    @SuppressWarnings("UnusedVariable")
    private boolean noBuild;

    @Option(names = "--report", description = "Nothing is tried; what is known is shown.")
    private boolean report;

    @Option(names = "--list", description = "Lists the classes.")
    private boolean list;

    private final Path root = Path.of("").toAbsolutePath();

    private Main() {}

    /** Runs the command and ends the JVM with its status. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    failure.printStackTrace();
                    return 2;
                })
                .execute(args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (shortForm && (only != null || least > 0)) {
            System.err.println("mutate: --short says itself what judges, and how much is wanted");
            return 2;
        }
        List<Target> known = Target.all(root);
        if (!ShortForm.missing(known).isEmpty()) {
            System.err.println("mutate: --short has classes that are not there: " + ShortForm.missing(known));
            return 2;
        }
        List<Target> targets = known.stream()
                .filter(each -> !shortForm || ShortForm.has(each))
                .filter(each -> names.isEmpty() || names.contains(each.name()))
                .filter(each -> module == null || module.equals(each.module()))
                .toList();
        if (oneIn > 1) {
            targets = sample(targets);
        }
        if (list) {
            targets.forEach(each -> System.out.println(each.module() + " " + each.name()));
            return 0;
        }
        if (targets.isEmpty()) {
            System.err.println("mutate: no such class; --list shows all of them");
            return 2;
        }
        var modules = new LinkedHashMap<String, Map<Target, ChangeResults>>();
        var mutants = new ArrayList<Mutant>();
        for (Target target : targets) {
            Map<String, byte[]> classes = target.classes(root);
            List<Mutant> found = new Planter(classes, target.source(root)).mutants();
            mutants.addAll(found);
            modules.computeIfAbsent(target.module(), each -> new LinkedHashMap<>())
                    .put(target, ChangeResults.of(folder(), target, version(classes), found));
        }
        if (!report) {
            System.out.println("mutate: " + mutants.size() + " changes in " + targets.size() + " classes; the report: "
                    + folder().resolve("report.md"));
            int atOnce = threads != null ? threads : shortForm ? 2 : 1;
            var run = new Run(root, folder(), seeds, atOnce, shortForm);
            for (Map<Target, ChangeResults> each : modules.values()) {
                if (only != Only.SIMULATION) {
                    run.byTests(each);
                }
                if (only != Only.UNIT && !shortForm) {
                    for (Map<Target, ChangeResults> some : bySimulations(each)) {
                        run.bySeeds(some);
                    }
                }
            }
        }
        List<String> below = tell(targets, modules, mutants);
        below.forEach(each -> System.err.println("mutate: " + each));
        return below.isEmpty() ? 0 : 1;
    }

    /** That of the short form is another one, as fewer tests judge there. */
    private Path folder() {
        return root.resolve("mutations/target/report" + (shortForm ? "/short" : ""));
    }

    /** Those that have the same simulations together. */
    private Collection<Map<Target, ChangeResults>> bySimulations(Map<Target, ChangeResults> all) {
        var groups = new LinkedHashMap<List<Trial.Simulation>, Map<Target, ChangeResults>>();
        all.forEach((target, results) -> groups.computeIfAbsent(target.simulations(), each -> new LinkedHashMap<>())
                .put(target, results));
        return groups.values();
    }

    /** Says what was found, and returns of which classes less was noticed than is wanted. */
    private List<String> tell(
            List<Target> targets, Map<String, Map<Target, ChangeResults>> modules, List<Mutant> mutants)
            throws IOException {
        Equivalents equivalents = Equivalents.in(root.resolve("mutations/equivalent.tsv"));
        var types = new TreeSet<String>();
        targets.forEach(each -> types.add(each.type()));
        equivalents
                .outdated(types, mutants)
                .forEach(each -> System.out.println("mutate: in equivalent.tsv, but not a change any more: " + each));
        var all = new Scores(equivalents);
        modules.values().forEach(each -> each.forEach((target, results) -> all.add(target, results.all())));
        String text = all.table() + "\n" + all.survivors() + "\n";
        Files.createDirectories(folder());
        Files.writeString(folder().resolve("report.md"), text);
        List<String> below = all.below(shortForm ? ShortForm.LEAST_BY_TESTS : least);
        System.out.println(shortForm && below.isEmpty() ? all.table() : text);
        return below;
    }

    /** One in so many, rounded up. */
    private List<Target> sample(List<Target> all) throws IOException {
        Map<String, Target> byVersion = new TreeMap<>();
        for (Target target : all) {
            byVersion.put(version(target.classes(root)) + target.type(), target);
        }
        return byVersion.values().stream()
                .limit((all.size() + oneIn - 1) / oneIn)
                .toList();
    }

    private static String version(Map<String, byte[]> classes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            classes.values().forEach(digest::update);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
