package io.baton.election;

import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done about a leader's work that does not stop. */
@FunctionalInterface
public interface LastResort {

    /**
     * The work was told to stop and has not done so in time: within {@link Candidate#stopTimeout()}, or, if the leadership
     * has been lost since, by then. Called once for a term, on a thread of its own; for
     * work without a thread, where the coordinator's callbacks run. What it throws is logged.
     */
    void stuck(Stuck work);

    /**
     * Work that does not stop.
     *
     * @param leadership which; {@link Leadership#remaining()} tells whether another candidate may lead already
     * @param reason why it was told to stop
     * @param since how long ago it was told
     * @param thread where it runs; empty for work without a thread of its own
     */
    record Stuck(Leadership leadership, StopReason reason, Duration since, Optional<Thread> thread) {}

    /** Logs an error with the thread's stack. As long as the work goes on and the store can be reached, nobody else leads. */
    static LastResort log() {
        return work -> {
            Logger log = LoggerFactory.getLogger(LastResort.class);
            var where = new StringBuilder();
            work.thread().ifPresent(thread -> {
                for (StackTraceElement frame : thread.getStackTrace()) {
                    where.append("\n\tat ").append(frame);
                }
            });
            log.error(
                    "The work of {} was told to stop {} ms ago ({}), and has not{}",
                    work.leadership(),
                    work.since().toMillis(),
                    work.reason(),
                    where);
        };
    }

    /**
     * Logs as {@link #log()} does, and halts the JVM at once, without its shutdown hooks: nothing of this process goes on
     * when another candidate leads.
     */
    static LastResort halt(int status) {
        return work -> {
            try {
                log().stuck(work);
            } finally {
                Runtime.getRuntime().halt(status);
            }
        };
    }
}
