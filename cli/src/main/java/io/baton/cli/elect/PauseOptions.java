package io.baton.cli.elect;

import io.baton.Coordinator;
import io.baton.cli.CommandTimeout;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.ReadOnlyConnection;
import io.baton.cli.Report;
import io.baton.cli.Text;
import io.baton.election.LeaderElection;
import io.baton.election.Pause;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Pauses an election, or resumes it: {@code --pause}, {@code --resume}. */
final class PauseOptions {

    private static final Duration LEAST = Duration.ofMillis(1);

    @Option(
            names = "--pause",
            description =
                    "Run nothing: pause the election. The present leader goes on, and nobody else takes over until"
                            + " --resume, whatever becomes of it.")
    boolean pause;

    @Option(names = "--resume", description = "Run nothing: end the pause, so that all stand again.")
    boolean resume;

    @Option(names = "--why", paramLabel = "TEXT", description = "With --pause: the reason, which everybody is shown.")
    @Nullable
    String why;

    @Option(
            names = "--by",
            paramLabel = "NAME",
            description = "With --pause: who does it, for people. Default: the user and the host, as ops@bastion.")
    @Nullable
    String by;

    /** For the command line parser. */
    PauseOptions() {}

    /** Whether either option is given. */
    boolean given() {
        return pause || resume;
    }

    /** Rejects options that go with neither. */
    void check() {
        if (pause && resume) {
            throw Failure.usage("--pause and --resume are two things: say one of them");
        }
        if (!pause && (why != null || by != null)) {
            throw Failure.usage("--why and --by go with --pause: they say who has paused the election, and why");
        }
    }

    /** Pauses or resumes the election within this time; returns the exit status. */
    int run(String uri, String name, CommandTimeout timeout, PrintWriter out) throws InterruptedException {
        try (Coordinator baton = Coordinator.connect(uri, ReadOnlyConnection.options("baton elect", timeout.all()))) {
            LeaderElection election = LeaderElection.named(baton, name);
            Duration left = timeout.left(LEAST);
            out.println("'" + Text.line(name) + "': " + (pause ? pause(election, left) : resume(election, left)));
        }
        return Exit.OK;
    }

    private String pause(LeaderElection election, Duration timeout) throws InterruptedException {
        String me = by == null ? Operator.currentUser() : by;
        String reason = why == null ? "" : why;
        Pause paused = election.pause(me, reason, timeout);
        if (!paused.by().equals(me) || !paused.why().equals(reason)) {
            Report.line("it was paused before, and stays so as it was");
        }
        String leader = paused.leader().map(id -> id + " leads on").orElse("nobody leads");
        return Text.line(paused + "; " + leader);
    }

    private static String resume(LeaderElection election, Duration timeout) throws InterruptedException {
        Optional<Pause> ended = election.resume(timeout);
        return Text.line(ended.map(pause -> "resumed; it was " + pause).orElse("it was not paused"));
    }
}
