package io.baton.testkit.sim;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs simulations for many seeds, on one or more threads, and reports what happened in all of them. A failed run does
 * not stop the others; the first 20 failures are kept.
 *
 * <p>System properties select the seeds. {@code baton.sim.seed=N} runs that seed only. Otherwise
 * {@code baton.sim.seeds} seeds run, from {@code baton.sim.from} (default 0) on. {@code baton.sim.threads} is the
 * number of threads (default 1).
 */
public final class Seeds {

    private static final int FAILURES_KEPT = 20;
    private static final int TELL_EVERY = 10_000;

    private final Map<String, Long> totals = new TreeMap<>();
    private final Map<Long, Throwable> failures = new TreeMap<>();
    private final PrintStream out;
    private long runs;
    private long failed;
    private long eventful;
    private long fingerprint;

    /** Starts without runs; prints to standard output. */
    public Seeds() {
        this(System.out);
    }

    Seeds(PrintStream out) {
        this.out = out;
    }

    /** The single seed that {@code baton.sim.seed} selects, or null. */
    public static @Nullable Long only() {
        return Long.getLong("baton.sim.seed");
    }

    /** The selected seeds; {@code otherwise} is their number by default. */
    public static LongStream asked(int otherwise) {
        Long only = only();
        long from = Long.getLong("baton.sim.from", 0);
        return only != null
                ? LongStream.of(only)
                : LongStream.range(from, from + Long.getLong("baton.sim.seeds", otherwise));
    }

    /** The seeds in a file beside this class. Each line begins with a seed; the rest is a note. */
    public static LongStream of(Class<?> beside, String file) {
        try (InputStream in = beside.getResourceAsStream(file);
                var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return LongStream.of(lines.lines()
                    .map(line -> line.split("[ #]", 2)[0])
                    .filter(number -> !number.isEmpty())
                    .mapToLong(Long::parseLong)
                    .toArray());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }

    /**
     * Runs the selected seeds, as {@link #run} does, and checks that each event happened.
     *
     * @param usual the number of seeds by default
     * @param enough the least number of runs for which each of the events has to happen
     */
    public Map<String, Long> runAsked(
            String what, int usual, int enough, LongFunction<? extends SeededRun> each, List<String> toHappen) {
        run(what, asked(usual), each);
        List<String> never = toHappen.stream()
                .filter(event -> totals.getOrDefault(event, 0L) <= 0)
                .toList();
        if (runs >= enough && !never.isEmpty()) {
            throw new AssertionError("did not happen in " + runs + " seeds: " + never);
        }
        return totals;
    }

    /** Runs each of these seeds twice, and fails unless both runs are the same. */
    public static void checkRepeatable(LongFunction<? extends SeededRun> each, long... seeds) {
        for (long seed : seeds) {
            SeededRun once = each.apply(seed);
            SeededRun again = each.apply(seed);
            once.run(new TreeMap<>());
            again.run(new TreeMap<>());
            boolean same = once.trace().fingerprint() == again.trace().fingerprint()
                    && once.trace().lines() == again.trace().lines()
                    && once.trace().newest().equals(again.trace().newest());
            if (!same) {
                throw new AssertionError("seed " + seed + " takes another course the second time");
            }
        }
    }

    /**
     * Runs all seeds, prints what happened, and throws the failure of the smallest failed seed. The printed fingerprint
     * is the same as long as each seed takes the same course, in any order.
     */
    public Map<String, Long> run(String what, LongStream seeds, LongFunction<? extends SeededRun> each) {
        long started = System.nanoTime();
        long[] all = seeds.toArray();
        var next = new AtomicLong();
        List<Thread> threads = LongStream.range(0, Integer.getInteger("baton.sim.threads", 1))
                .mapToObj(i -> new Thread(() -> work(what, all, next, each, started), "seeds-" + i))
                .toList();
        threads.forEach(Thread::start);
        threads.forEach(Seeds::join);
        tell(what, started);
        out.println(what + ": " + totals);
        out.println(what + ": fingerprint " + Long.toHexString(fingerprint) + " of " + runs + " seeds");
        if (!failures.isEmpty()) {
            out.println(what + ": failed: " + failures.keySet() + (failed > failures.size() ? " and more" : ""));
            throw new AssertionError(
                    failed + " of " + runs + " seeds failed, the first of them with:",
                    failures.values().iterator().next());
        }
        return totals;
    }

    private void work(
            String what, long[] seeds, AtomicLong next, LongFunction<? extends SeededRun> each, long started) {
        for (long i = next.getAndIncrement(); i < seeds.length; i = next.getAndIncrement()) {
            var its = new TreeMap<String, Long>();
            try {
                SeededRun run = each.apply(seeds[(int) i]);
                boolean eventful = run.run(its);
                done(what, eventful, its, run.trace().fingerprint(), started);
            } catch (RuntimeException | Error broken) {
                failed(what, seeds[(int) i], broken);
            }
        }
    }

    private synchronized void done(String what, boolean wasEventful, Map<String, Long> its, long print, long started) {
        runs++;
        fingerprint += print;
        eventful += wasEventful ? 1 : 0;
        its.forEach((name, times) -> totals.merge(name, times, Long::sum));
        if (runs % TELL_EVERY == 0) {
            tell(what, started);
        }
    }

    private synchronized void failed(String what, long seed, Throwable why) {
        runs++;
        failed++;
        out.printf(
                "%s: seed %d failed: %s%n",
                what, seed, String.valueOf(why.getMessage()).lines().findFirst().orElse(""));
        out.flush();
        if (failures.size() < FAILURES_KEPT) {
            failures.put(seed, why);
        }
    }

    private synchronized void tell(String what, long started) {
        double seconds = (System.nanoTime() - started) / 1e9;
        out.printf(
                Locale.ROOT,
                "%s: %,d schedules, %d failed, %d more with too little in them; %.1f a second for %.0f s%n",
                what,
                eventful,
                failed,
                runs - failed - eventful,
                runs / seconds,
                seconds);
        out.flush();
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException stop) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
