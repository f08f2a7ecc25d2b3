package io.baton.cli.run;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import io.baton.cli.Signals;
import io.baton.spi.Names;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs a command under a mandate, which a {@link Body} obtains. Used by one thread. */
public final class Runner {

    /** Obtains the mandate, and calls {@link #guard} to run the command under it. */
    @FunctionalInterface
    public interface Body {

        /** Returns how the run ended. */
        Ending run(Runner runner) throws InterruptedException;
    }

    private static final Duration CONNECT = Duration.ofSeconds(10);
    /** How long to wait for the store to confirm the release. After that, the entry goes with the session. */
    private static final Duration CLOSE = Duration.ofSeconds(2);

    private final Job job;
    private final StatusFile file;
    private final SignalInbox inbox;
    private Watchdog watchdog;

    private Runner(Job job, StatusFile file, SignalInbox inbox) {
        this.job = job;
        this.file = file;
        this.inbox = inbox;
        this.watchdog = watchdog(job, file);
    }

    /**
     * Runs the job, and reports how it ended in every case.
     *
     * @param check rejects invalid options
     * @return the exit status
     */
    public static int run(Job job, Runnable check, Body body) {
        StatusFile file = StatusFile.at(job.options().statusFile);
        file.begin();
        Ending ending;
        try {
            check(job, check);
            Runner runner = started(job, file);
            try {
                ending = runner.attempt(body);
                // Before the watchdog is closed: if this process is killed now, the watchdog writes the file.
                file.write(ending);
            } finally {
                runner.watchdog.close();
            }
        } catch (RuntimeException refused) {
            ending = Ending.failed(Failure.of(refused));
            file.write(ending);
        }
        // Last, as it may take for ever.
        ending.print();
        Report.flush();
        return ending.status().orElse(Exit.DEFECT);
    }

    private static void check(Job job, Runnable check) {
        if (job.command().isEmpty()) {
            throw Failure.usage("the command to run goes behind '--': baton " + job.verb() + " NAME -- CMD ARGS...");
        }
        job.names().forEach(Names::check);
        check.run();
        Executable.check(job.command().get(0));
    }

    /** Starts the watchdog before all else, since its start takes as long as connecting. */
    private static Runner started(Job job, StatusFile file) {
        var inbox = new SignalInbox(Thread.currentThread());
        Signals.handle(inbox::onSignal);
        return new Runner(job, file, inbox);
    }

    private static Watchdog watchdog(Job job, StatusFile file) {
        return Watchdog.start(job.names(), job.options().grace, file, job.command());
    }

    private Ending attempt(Body body) {
        try {
            return body.run(this);
        } catch (InterruptedException signalled) {
            return Ending.signalled(inbox.ended().orElse(Exit.DEFECT));
        } catch (Throwable thrown) {
            return Ending.failed(Failure.of(thrown));
        }
    }

    /** Connects to the store within this time; null: within 10 s. */
    public Coordinator connect(String uri, @Nullable Duration timeout) throws InterruptedException {
        Duration asked = job.options().ttl;
        Coordinator baton = Coordinator.connect(
                uri,
                CoordinatorOptions.builder()
                        .client("baton " + job.verb())
                        .ttl(asked)
                        .connectTimeout(timeout == null ? CONNECT : timeout)
                        .closeTimeout(CLOSE)
                        .acceptLoss(true) // which the URI has declared
                        .build());
        Duration granted = baton.ttl();
        if (granted.compareTo(asked) > 0) {
            Report.line("the store grants a ttl of " + DurationOption.format(granted) + ", not "
                    + DurationOption.format(asked) + ": if this machine dies, the others wait for that long");
        }
        return baton;
    }

    /** Waits until the command can be started. Call it before requesting the mandate. */
    public void awaitReady() throws InterruptedException {
        watchdog.awaitReady();
    }

    /** Runs the command, and waits for its end. */
    public Ending guard(Mandate mandate) {
        Optional<Integer> signalled = inbox.ended();
        if (signalled.isPresent()) {
            return Ending.signalled(signalled.get());
        }
        try {
            var guardian = new CommandSupervisor(mandate, watchdog, job.options().grace);
            guardian.start();
            inbox.forwardTo(watchdog::signal);
            return guardian.watch();
        } catch (Failure failed) {
            return Ending.failed(failed);
        }
    }

    /**
     * Prepares another run of the command.
     *
     * @return false if a signal has arrived meanwhile
     */
    public boolean again() {
        if (!inbox.waitAgain()) {
            return false;
        }
        watchdog.close();
        watchdog = watchdog(job, file);
        return true;
    }
}
