package io.baton.benchmarks.scale;

import java.util.Locale;

/** What is measured. */
enum ScaleCase {
    /** Many waiters of one coordinator in one line. */
    WAITERS {
        @Override
        Figures measure(Surroundings in) throws Exception {
            return drain(in, new DrainPlan(1, 1, in.size().waiters(), 1, LoadClient.LARGE));
        }
    },
    /** As many waiters of many processes in one line. */
    WAITERS_PROCESSES {
        @Override
        Figures measure(Surroundings in) throws Exception {
            LoadSize size = in.size();
            return drain(in, new DrainPlan(1, size.processes(), size.waitersEach(), 4, LoadClient.SMALL));
        }
    },
    /** Many locks held by one coordinator, and each waited for by another. */
    LOCKS {
        @Override
        Figures measure(Surroundings in) throws Exception {
            int locks = in.size().locks();
            return drain(in, new DrainPlan(locks, 1, locks, 1, LoadClient.LARGE));
        }
    },
    /** Waiters of many processes at one read/write lock. */
    READ_WRITE {
        @Override
        Figures measure(Surroundings in) throws Exception {
            return handOff(in, LoadLock.READ_WRITE, 5);
        }
    },
    /** Readers of many processes that wait for one writer. */
    READERS {
        @Override
        Figures measure(Surroundings in) throws Exception {
            return handOff(in, LoadLock.READERS, 5);
        }
    },
    /** Waiters of many processes at one semaphore. */
    PERMITS {
        @Override
        Figures measure(Surroundings in) throws Exception {
            return handOff(in, LoadLock.PERMITS, 14);
        }
    },
    /** A line that ZooKeeper cannot list. */
    LONG_LINE {
        @Override
        Figures measure(Surroundings in) throws Exception {
            try (LongLineRun run = new LongLineRun(in)) {
                return run.measure();
            }
        }
    };

    abstract Figures measure(Surroundings in) throws Exception;

    /** As on a command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Figures drain(Surroundings in, DrainPlan plan) throws Exception {
        try (DrainRun run = new DrainRun(this, in, plan)) {
            return run.measure();
        }
    }

    Figures handOff(Surroundings in, LoadLock lock, int mostRequests) throws Exception {
        try (HandOffRun run = new HandOffRun(this, in, lock, mostRequests)) {
            return run.measure();
        }
    }
}
