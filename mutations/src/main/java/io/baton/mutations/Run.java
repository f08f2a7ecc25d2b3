package io.baton.mutations;

import io.baton.mutations.Result.Status;
import io.baton.mutations.Result.Verdict;
import io.baton.mutations.Trial.Covered;
import io.baton.mutations.Trial.Outcome;
import io.baton.mutations.Trial.Probed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Tries all changes of some classes of one module. */
final class Run {

    /** Tests that take longer are left out: they are run once for each change. */
    private static final Duration CHEAP = Duration.ofSeconds(5);

    private static final Duration COVERAGE = Duration.ofMinutes(20);

    /** For a JVM that has just begun and a machine that is busy. */
    private static final Duration LEAST = Duration.ofSeconds(4);

    private static final int AS_LONG = 8;
    private static final int SEEDS_AT_ONCE = 25;
    private static final int OFFSET = 100_000;
    private static final Duration TELL_EVERY = Duration.ofSeconds(30);

    private final Path root;
    private final Path folder;
    private final int seeds;
    private final int threads;
    private final boolean ownTestOnly;

    /** {@code ownTestOnly} says whether each class is judged by its own unit test alone. */
    Run(Path root, Path folder, int seeds, int threads, boolean ownTestOnly) {
        this.root = root;
        this.folder = folder;
        this.seeds = seeds;
        this.threads = threads;
        this.ownTestOnly = ownTestOnly;
    }

    /** Tries them by unit tests. */
    void byTests(Map<Target, ChangeResults> all) throws IOException, InterruptedException {
        Target first = all.keySet().iterator().next();
        try (Workers workers = workers(first)) {
            List<String> classes = tests(all.keySet());
            System.out.println(
                    "mutate: " + first.module() + ": which lines do the tests of " + classes.size() + " classes run?");
            List<Covered> covered =
                    workers.one(worker -> covered(worker, new Trial.CoverTests(probed(all.keySet()), classes)));
            covered.stream()
                    .filter(each -> !each.passed() && !each.lines().isEmpty())
                    .forEach(each -> System.out.println("mutate: left out, as it fails anyway: " + each.name()));
            covered.stream()
                    .filter(each ->
                            each.nanos() >= CHEAP.toNanos() && !each.lines().isEmpty())
                    .forEach(each -> System.out.println("mutate: left out, as it takes long: " + each.name()));
            List<Covered> cheap = covered.stream()
                    .filter(each -> each.passed() && each.nanos() < CHEAP.toNanos())
                    .sorted(Comparator.comparingLong(Covered::nanos))
                    .toList();
            int index = 0;
            for (Map.Entry<Target, ChangeResults> each : all.entrySet()) {
                int offset = index++ * OFFSET;
                // Its own test first, which says best what is wrong.
                String own = each.getKey().name() + "Test.";
                List<Covered> inOrder = cheap.stream()
                        .filter(test -> !ownTestOnly || test.name().startsWith(own))
                        .sorted(Comparator.comparing(test -> !test.name().startsWith(own)))
                        .toList();
                each(workers, each.getKey(), each.getValue(), "unit tests", (worker, result) -> {
                    List<Covered> those = inOrder.stream()
                            .filter(test ->
                                    test.lines().get(offset + result.mutant().line()))
                            .toList();
                    return result.byTests(
                            those.isEmpty()
                                    ? new Verdict(Status.NOT_COVERED, "")
                                    : tried(
                                            worker,
                                            new Trial.Tests(those.stream()
                                                    .map(Covered::id)
                                                    .toList()),
                                            limit(those)));
                });
            }
        }
    }

    /** Tries them by simulation. */
    void bySeeds(Map<Target, ChangeResults> all) throws IOException, InterruptedException {
        Target first = all.keySet().iterator().next();
        try (Workers workers = workers(first)) {
            var runs = new LinkedHashMap<Trial.Simulation, List<Covered>>();
            for (Trial.Simulation simulation : first.simulations()) {
                System.out.println("mutate: " + first.module() + ": which lines do " + seeds + " seeds of " + simulation
                        + " run?");
                runs.put(
                        simulation,
                        workers.one(worker ->
                                covered(worker, new Trial.CoverSeeds(probed(all.keySet()), simulation, 0, seeds))));
            }
            int index = 0;
            for (Map.Entry<Target, ChangeResults> each : all.entrySet()) {
                int offset = index++ * OFFSET;
                each(
                        workers,
                        each.getKey(),
                        each.getValue(),
                        "simulation",
                        (worker, result) -> result.bySeeds(simulated(worker, runs, offset, result.mutant())));
            }
        }
    }

    private static Verdict simulated(
            WorkerProcess worker, Map<Trial.Simulation, List<Covered>> runs, int offset, Mutant mutant)
            throws IOException, InterruptedException {
        var verdict = new Verdict(Status.NOT_COVERED, "");
        for (Map.Entry<Trial.Simulation, List<Covered>> run : runs.entrySet()) {
            List<Covered> those = run.getValue().stream()
                    .filter(seed -> seed.passed() && seed.lines().get(offset + mutant.line()))
                    .toList();
            for (int from = 0; from < those.size(); from += SEEDS_AT_ONCE) {
                List<Covered> some = those.subList(from, Math.min(from + SEEDS_AT_ONCE, those.size()));
                int[] numbers = some.stream()
                        .mapToInt(seed -> Integer.parseInt(seed.id()))
                        .toArray();
                verdict = tried(worker, new Trial.Seeds(run.getKey(), numbers), limit(some));
                if (verdict.noticed()) {
                    return verdict;
                }
            }
        }
        return verdict;
    }

    private static Duration limit(List<Covered> those) {
        return LEAST.plusNanos(
                AS_LONG * those.stream().mapToLong(Covered::nanos).sum());
    }

    private static Verdict tried(WorkerProcess worker, Trial trial, Duration limit)
            throws IOException, InterruptedException {
        try {
            Outcome outcome = (Outcome) worker.ask(trial, limit);
            return new Verdict(outcome.noticed() ? Status.KILLED : Status.SURVIVED, outcome.by());
        } catch (TimeoutException late) {
            return new Verdict(Status.TIMEOUT, "after " + limit.toSeconds() + " s");
        } catch (WorkerProcess.Ended ended) {
            return new Verdict(Status.KILLED, "the JVM ended");
        }
    }

    /** What is done with one change, which has been planted. */
    private interface Try {
        Result of(WorkerProcess worker, Result result) throws IOException, InterruptedException;
    }

    private void each(Workers workers, Target target, ChangeResults results, String by, Try what)
            throws IOException, InterruptedException {
        List<Result> all = results.all();
        Map<String, byte[]> originals = target.classes(root);
        workers.one(worker -> exchangesAtAll(worker, target, originals));
        var next = new AtomicInteger();
        var progress = new Progress(target.module() + " " + target.name() + ", " + by, all.size());
        workers.all(worker -> {
            for (int i = next.getAndIncrement(); i < all.size(); i = next.getAndIncrement()) {
                Mutant mutant = all.get(i).mutant();
                Result result;
                if (plant(worker, mutant)) {
                    result = what.of(worker, all.get(i));
                    restore(worker, mutant, originals);
                } else {
                    var not = new Verdict(Status.KILLED, "the JVM refuses the class");
                    result = by.equals("simulation")
                            ? all.get(i).bySeeds(not)
                            : all.get(i).byTests(not);
                }
                synchronized (results) {
                    results.set(i, result);
                    progress.done(by.equals("simulation") ? result.bySeeds() : result.byTests());
                }
            }
            return true;
        });
        progress.end();
        results.save();
    }

    /** A JVM that refuses the class as it is would refuse each change, and all of them would count as noticed. */
    private static boolean exchangesAtAll(WorkerProcess worker, Target target, Map<String, byte[]> originals)
            throws IOException, InterruptedException {
        byte[] original = originals.get(target.type());
        if (original == null || !plant(worker, new Trial.Plant(target.type(), original, Mutant.isRecord(original)))) {
            throw new IOException("this JVM does not exchange " + target.type());
        }
        return true;
    }

    private static boolean plant(WorkerProcess worker, Mutant mutant) throws IOException, InterruptedException {
        if (mutant.ofRecord()) {
            worker.close();
        }
        return plant(worker, new Trial.Plant(mutant.type(), mutant.bytes(), mutant.ofRecord()));
    }

    private static void restore(WorkerProcess worker, Mutant mutant, Map<String, byte[]> originals)
            throws IOException, InterruptedException {
        byte[] original = originals.get(mutant.type());
        if (mutant.ofRecord()) {
            worker.close();
        } else if (!worker.isGone() && original != null) {
            plant(worker, new Trial.Plant(mutant.type(), original, false));
        }
    }

    private static boolean plant(WorkerProcess worker, Trial.Plant plant) throws IOException, InterruptedException {
        try {
            return (Boolean) worker.ask(plant, Duration.ofMinutes(1));
        } catch (TimeoutException | WorkerProcess.Ended failed) {
            throw new IOException("a class could not be planted", failed);
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Covered> covered(WorkerProcess worker, Trial trial) throws IOException, InterruptedException {
        worker.close();
        try {
            return (List<Covered>) worker.ask(trial, COVERAGE);
        } catch (TimeoutException | WorkerProcess.Ended failed) {
            throw new IOException("with nothing planted it does not come to its end", failed);
        } finally {
            worker.close();
        }
    }

    private List<Probed> probed(Iterable<Target> targets) throws IOException {
        var probed = new ArrayList<Probed>();
        int offset = 0;
        for (Target target : targets) {
            for (Map.Entry<String, byte[]> each : target.classes(root).entrySet()) {
                probed.add(new Probed(each.getKey(), each.getValue(), offset));
            }
            offset += OFFSET;
        }
        return probed;
    }

    /** Unit tests only: no simulations, no bugs planted by hand, no orders of threads, and no rules about the sources. */
    private List<String> tests(Set<Target> targets) throws IOException {
        Set<String> own = targets.stream().map(each -> each.type() + "Test").collect(Collectors.toSet());
        var tests = new ArrayList<String>();
        for (String module : targets.iterator().next().tests()) {
            Path classes = root.resolve(module).resolve("target/test-classes");
            try (Stream<Path> files = Files.walk(classes)) {
                files.map(file -> classes.relativize(file).toString())
                        .filter(file -> file.endsWith("Test.class") && !file.contains("$"))
                        .filter(file -> !file.matches(".*(Simulation|Steps|Orders|Architecture)Test.class"))
                        .filter(file -> !file.matches(".*/Sim[A-Z][a-zA-Z]*Test.class"))
                        .map(file -> file.substring(0, file.length() - ".class".length())
                                .replace('/', '.'))
                        .filter(test -> !ownTestOnly || own.contains(test))
                        .sorted()
                        .forEach(tests::add);
            }
        }
        return tests;
    }

    private Workers workers(Target target) throws IOException {
        List<Path> classPath = Stream.of(
                        "coordination-core", "leader-election", "config-watch", "zk-backend", "etcd-backend")
                .flatMap(module -> Stream.of("target/classes", "target/test-classes")
                        .map(each -> root.resolve(module).resolve(each)))
                .toList();
        Files.createDirectories(folder);
        return new Workers(IntStream.range(0, threads)
                .mapToObj(i -> new WorkerProcess(
                        root, root.resolve(target.module()), classPath, folder.resolve("worker-" + i + ".log")))
                .toList());
    }

    /** Some of them, which share the work. */
    private static final class Workers implements AutoCloseable {

        private final List<WorkerProcess> all;
        private final ExecutorService threads;

        /** What one of them does. */
        interface Work<T> {
            T with(WorkerProcess worker) throws IOException, InterruptedException;
        }

        Workers(List<WorkerProcess> all) {
            this.all = all;
            this.threads = Executors.newFixedThreadPool(all.size());
        }

        <T> T one(Work<T> work) throws IOException, InterruptedException {
            return work.with(all.get(0));
        }

        void all(Work<Boolean> work) throws IOException, InterruptedException {
            var free = new ConcurrentLinkedQueue<>(all);
            List<Callable<Boolean>> tasks = all.stream()
                    .map(each -> (Callable<Boolean>) () -> work.with(free.remove()))
                    .toList();
            for (Future<Boolean> each : threads.invokeAll(tasks)) {
                try {
                    each.get();
                } catch (ExecutionException failed) {
                    throw new IOException(failed.getCause());
                }
            }
        }

        @Override
        public void close() {
            threads.shutdownNow();
            all.forEach(WorkerProcess::close);
        }
    }

    /** Says how far it is. */
    private static final class Progress {

        private final String what;
        private final int all;
        private int done;
        private int noticed;
        private long told = System.nanoTime();
        private final long began = told;

        Progress(String what, int all) {
            this.what = what;
            this.all = all;
        }

        void done(Verdict verdict) {
            done++;
            noticed += verdict.noticed() ? 1 : 0;
            if (System.nanoTime() - told >= TELL_EVERY.toNanos()) {
                told = System.nanoTime();
                tell("");
            }
        }

        void end() {
            tell(", in " + Duration.ofNanos(System.nanoTime() - began).toSeconds() + " s");
        }

        private void tell(String more) {
            System.out.println("mutate: " + what + ": " + noticed + " noticed of " + done + " tried, of " + all + more);
        }
    }
}
