package io.baton.cli.lock;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.DistributedReadWriteLock;
import io.baton.DistributedSemaphore;
import io.baton.LockOptions;
import io.baton.cli.DurationOption;
import io.baton.cli.Failure;
import io.baton.cli.PlaceOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What to hold of the names. Without these options it is the lock of each. */
final class ClaimOptions {

    @Option(names = "--shared", description = "Hold the read/write lock NAME together with others that have --shared.")
    boolean shared;

    @Option(names = "--exclusive", description = "Hold the read/write lock NAME alone.")
    boolean exclusive;

    @Option(names = "--permits", paramLabel = "N", description = "Hold so many permits of the semaphore NAME.")
    @Nullable
    Integer permits;

    @Option(
            names = "--of",
            paramLabel = "M",
            description = "With --permits: how many the semaphore has in all. The first command that uses it sets that;"
                    + " see 'baton semaphore resize'.")
    @Nullable
    Integer of;

    @Option(
            names = "--hold-at-least",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description =
                    "Keep others out for this long from the start of CMD, also if it ends before: for a job that must"
                            + " not run twice within a period. It runs at most once: a CMD that fails, or whose host dies,"
                            + " keeps them out, too. All that contend must say the same.")
    @Nullable
    Duration holdAtLeast;

    @Option(
            names = "--delay-after-loss",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description =
                    "Wait for this long before the start of CMD if the last one lost the lock instead of releasing"
                            + " it. All that contend must say the same.")
    @Nullable
    Duration delayAfterLoss;

    /** For the command line parser. */
    ClaimOptions() {}

    /**
     * Checks the options before any request to the store.
     *
     * @throws Failure if they are invalid
     */
    void check(List<String> names, PlaceOption place) {
        if (shared && exclusive) {
            throw Failure.usage("--shared or --exclusive: to read together with others, or to write alone");
        }
        boolean readWrite = shared || exclusive;
        if (permits != null || of != null) {
            checkPermits(readWrite || place.given());
        }
        boolean rests = holdAtLeast != null || delayAfterLoss != null;
        if (rests && (readWrite || permits != null || place.given())) {
            throw Failure.usage("--hold-at-least and --delay-after-loss go with the plain lock NAME, without --shared,"
                    + " --exclusive, --permits and --at");
        }
        if (names.size() > 1) {
            if (readWrite || permits != null || place.given() || rests) {
                throw Failure.usage("several names are several locks, held together: --shared, --exclusive, --permits,"
                        + " --at, --hold-at-least and --delay-after-loss go with one name");
            }
            checkDifferent(names);
        }
    }

    private void checkPermits(boolean otherLock) {
        if (permits == null) {
            throw Failure.usage("--of goes with --permits: how many of them to hold, as in --permits 1 --of " + of);
        } else if (of == null) {
            throw Failure.usage(
                    "--permits goes with --of: how many there are in all, as in --permits " + permits + " --of 10");
        } else if (permits < 1) {
            throw Failure.usage("--permits must be at least 1, not " + permits);
        } else if (of < permits) {
            throw Failure.usage("--permits " + permits + " --of " + of + ": there are no more than " + of
                    + ", so --permits can be 1 to --of");
        } else if (otherLock) {
            throw Failure.usage("--permits is for a semaphore, which is found by its name: it goes without --shared,"
                    + " --exclusive and --at");
        }
    }

    private static void checkDifferent(List<String> names) {
        var seen = new HashSet<String>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw Failure.usage("'" + name + "' is named twice: a lock can be held once only");
            }
        }
    }

    private LockOptions restingOptions() {
        return LockOptions.builder()
                .holdAtLeast(holdAtLeast == null ? Duration.ZERO : holdAtLeast)
                .delayAfterLoss(delayAfterLoss == null ? Duration.ZERO : delayAfterLoss)
                .build();
    }

    /** Returns what to acquire. */
    Acquirable wanted(Coordinator baton, List<String> names, PlaceOption place) {
        String name = names.get(0);
        if (permits != null && of != null) {
            DistributedSemaphore semaphore = baton.semaphore(name, of);
            return Acquirable.permits(
                    semaphore, permits, of, new EvictionLookup(baton, any -> semaphore.lastEviction()));
        } else if (shared || exclusive) {
            DistributedReadWriteLock lock = place.readWriteLock(baton, name);
            var evictions = new EvictionLookup(baton, any -> lock.lastEviction());
            return shared
                    ? Acquirable.lock(name, lock.read(), evictions)
                    : Acquirable.write(name, lock.write(), evictions);
        } else if (names.size() > 1) {
            var evictions = new EvictionLookup(baton, each -> baton.lock(each).lastEviction());
            return Acquirable.all(names, baton.multiLock(names), evictions);
        }
        boolean rests = holdAtLeast != null || delayAfterLoss != null;
        DistributedLock lock = rests ? baton.lock(name, restingOptions()) : place.lock(baton, name);
        var evictions = new EvictionLookup(baton, any -> lock.lastEviction());
        return rests ? Acquirable.resting(lock, evictions) : Acquirable.lock(name, lock, evictions);
    }
}
