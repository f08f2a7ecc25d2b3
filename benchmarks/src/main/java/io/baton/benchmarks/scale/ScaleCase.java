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
}
