package io.baton.benchmarks;

/**
 * What came of one round.
 *
 * @param passes how often the lock was taken and given back
 * @param nanos in how much time
 * @param requests what the server was asked meanwhile, pings left out
 * @param usage of the clients' processes
 * @param fairness how the passes were spread
 */
record Outcome(long passes, long nanos, long requests, Usage usage, Fairness fairness) {

    double perSecond() {
        return passes * 1e9 / nanos;
    }

    double changesPerSecond() {
        return fairness.changes() * 1e9 / nanos;
    }

    double requestsPerPass() {
        return (double) requests / passes;
    }

    double cpuMicrosPerPass() {
        return usage.cpuNanos() / 1e3 / passes;
    }

    double allocatedKilobytesPerPass() {
        return usage.allocated() / 1e3 / passes;
    }

    double longestWaitMillis() {
        return fairness.longestWaitNanos() / 1e6;
    }
}
