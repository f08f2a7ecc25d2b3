package io.baton.tck.mutation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ObjLongConsumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Plants bugs, one at a time, and runs seeds of a simulation until one of them fails. The first seed is the one that
 * found the bug before, from {@link KnownSeeds}; the others count up from 0.
 *
 * <p>A bug counts as found only if an invariant fails; any other exception proves nothing.
 * {@code -Dbaton.planted.bug=TEXT} selects the bugs whose names contain the text.
 */
public final class PlantedBugs {

    /** The text that the names of selected bugs contain. */
    static final String ONLY = System.getProperty("baton.planted.bug", "");

    private final Class<? extends ObjLongConsumer<String>> simulations;
    private final String kind;
    private final String backend;
    private final KnownSeeds known;
    private final List<Mutation> bugs = new ArrayList<>();

    /**
     * Starts without bugs.
     *
     * @param simulations runs a seed of the given kind; has a constructor without parameters
     * @param kind the kind of simulation
     * @param backend the module of the store
     */
    public PlantedBugs(Class<? extends ObjLongConsumer<String>> simulations, String kind, String backend) {
        this.simulations = simulations;
        this.kind = kind;
        this.backend = backend;
        this.known = KnownSeeds.of(simulations, kind);
    }

    /** Adds a bug in a class of the core, named relative to {@code io.baton}. */
    public PlantedBugs inCore(String type, String bug, String right, String wrong) {
        bugs.add(Mutation.in("coordination-core", type, bug, right, wrong));
        return this;
    }

    /** Adds a bug in a class of elections, named relative to {@code io.baton.election}. */
    public PlantedBugs inElections(String type, String bug, String right, String wrong) {
        bugs.add(Mutation.in("leader-election", "election." + type, bug, right, wrong));
        return this;
    }

    /** Adds a bug in a class of live configuration, named relative to {@code io.baton.config}. */
    public PlantedBugs inConfiguration(String type, String bug, String right, String wrong) {
        bugs.add(Mutation.in("config-watch", "config." + type, bug, right, wrong));
        return this;
    }

    /** Adds a bug in a class of the recipes beside the locks, named relative to {@code io.baton.recipes}. */
    public PlantedBugs inRecipes(String type, String bug, String right, String wrong) {
        bugs.add(Mutation.in("recipes", "recipes." + type, bug, right, wrong));
        return this;
    }

    /** Adds a bug in a class of the store, in the package of the simulations. */
    public PlantedBugs inStore(String type, String bug, String right, String wrong) {
        String below = simulations.getPackageName().substring("io.baton.".length());
        bugs.add(Mutation.in(backend, below + "." + type, bug, right, wrong));
        return this;
    }

    /**
     * Keeps one in this many bugs, rounded up. The sources decide which, so the selection changes with them only. The
     * other bugs are still planted, to report at once a text that no longer occurs.
     */
    public PlantedBugs sample(int oneIn) {
        Path root = Copies.root();
        Set<Mutation> kept = bugs.stream()
                .sorted(Comparator.comparing(
                        bug -> Integer.rotateLeft(bug.planted(root).hashCode() * 0x9E3779B9, 16)))
                .limit((bugs.size() + oneIn - 1) / oneIn)
                .collect(Collectors.toSet());
        bugs.retainAll(kept);
        return this;
    }

    /** Whether all bugs must be searched for: with a name given, or to store the results. */
    public static boolean allAsked() {
        return KnownSeeds.TO_BE_STORED || !ONLY.isEmpty();
    }

    /**
     * Searches for each bug in at most this many seeds, several bugs at once; results are in the bugs' order. With
     * {@code -Dbaton.planted.store=true} it ignores known seeds, and stores which seed found which bug.
     */
    public List<Verdict> search(int seeds) {
        Path root = Copies.root();
        bugs.forEach(bug -> bug.planted(root)); // reports a text that no longer occurs before hours of search
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            var searches = new ArrayList<Callable<Verdict>>();
            bugs.stream()
                    .filter(bug -> bug.bug().contains(ONLY))
                    .forEach(bug -> searches.add(
                            () -> search(bug.bug(), SourceCompiler.compile(bug.type(), bug.planted(root)), seeds)));
            var verdicts = new ArrayList<Verdict>();
            for (Future<Verdict> each : threads.invokeAll(searches)) {
                verdicts.add(each.get());
            }
            if (KnownSeeds.TO_BE_STORED) {
                known.store(root.resolve(backend), verdicts);
            }
            return verdicts;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        } catch (ExecutionException failed) {
            throw new IllegalStateException(String.valueOf(failed.getCause()), failed.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Searches where no bug is planted, in copies of the same classes. */
    public Verdict searchInVain(int seeds) {
        return search("none", Map.of(), seeds);
    }

    /** Formats the results as a table. */
    public static String table(List<Verdict> verdicts) {
        int widest =
                verdicts.stream().mapToInt(each -> each.bug().length()).max().orElse(1);
        return verdicts.stream().map(each -> each.row(widest)).collect(Collectors.joining("\n"));
    }

    private Verdict search(String bug, Map<String, byte[]> changed, int seeds) {
        ObjLongConsumer<String> copy = Copies.of(simulations, changed);
        PrimitiveIterator.OfLong order = LongStream.concat(
                        seeds == 0 ? LongStream.empty() : known.of(bug).stream(), LongStream.range(0, seeds))
                .iterator();
        int run = 0;
        while (order.hasNext()) {
            long seed = order.nextLong();
            run++;
            try {
                copy.accept(kind, seed);
            } catch (RuntimeException | Error thrown) {
                return Verdict.thrown(bug, seed, run, thrown);
            }
        }
        return Verdict.unnoticed(bug, run);
    }
}
