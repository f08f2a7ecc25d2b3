package io.baton.cli;

import io.baton.cli.ask.AskCommand;
import io.baton.cli.config.ConfigCommand;
import io.baton.cli.counter.CounterCommand;
import io.baton.cli.demo.DemoCommand;
import io.baton.cli.doctor.DoctorCommand;
import io.baton.cli.elect.ElectCommand;
import io.baton.cli.evict.EvictCommand;
import io.baton.cli.group.GroupCommand;
import io.baton.cli.latch.LatchCommand;
import io.baton.cli.leader.LeaderCommand;
import io.baton.cli.lock.LockCommand;
import io.baton.cli.ls.LsCommand;
import io.baton.cli.queue.QueueCommand;
import io.baton.cli.release.ReleaseRequestCommand;
import io.baton.cli.run.StatusFile;
import io.baton.cli.semaphore.SemaphoreCommand;
import io.baton.cli.server.ServerCommand;
import io.baton.cli.standby.StandbyCommand;
import io.baton.cli.status.StoreStatusCommand;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The entry point. It selects the subcommand, and turns every failure into one line on stderr and an exit status. */
@Command(
        name = "baton",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Fair locks, leader elections and live configuration for processes, on the ZooKeeper, etcd or database"
                        + " that you already run.",
        commandListHeading = "%nCommands:%n",
        footer = {"", "'baton help COMMAND', or 'baton COMMAND --help', tells more."})
public final class Main implements Runnable {

    static final int HELP_COLUMNS = 100;

    /** In place of what could not be decoded. */
    private static final char REPLACEMENT = '\uFFFD';

    @Spec
    CommandSpec spec;

    private Main() {}

    /** Runs the command and ends the JVM with its status. */
    public static void main(String[] args) {
        QuietLibraries.please();
        System.exit(run(List.of(args)));
    }

    /** Runs the command; returns its exit status. */
    public static int run(List<String> args) {
        Arguments split = Arguments.split(args);
        if (isUnreadable(args)) {
            return reported(
                    Failure.usage("an argument has characters that are not ASCII, which Java cannot read in this"
                            + " locale: set LC_ALL to one that 'locale -a' lists, as C.UTF-8"),
                    split);
        }
        CommandLine baton = line(split);
        baton.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        baton.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        baton.setParameterExceptionHandler((wrong, given) -> misunderstood(wrong, split));
        baton.setExecutionExceptionHandler((thrown, line, parsed) -> reported(thrown, split));
        int status = baton.execute(withHelp(split.own(), baton).toArray(String[]::new));
        return status == Exit.OK && StandardOutput.isIncomplete(baton.getOut())
                ? new Failure(Exit.CANNOT_WRITE, "cannot write to stdout").report()
                : status;
    }

    /** Whether the JVM has replaced bytes of arguments: two names that differ in them would be the same. */
    private static boolean isUnreadable(List<String> args) {
        Charset read = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        return read.equals(StandardCharsets.US_ASCII) && args.stream().anyMatch(each -> each.indexOf(REPLACEMENT) >= 0);
    }

    /** {@code baton help lock} is {@code baton lock --help}. */
    private static List<String> withHelp(List<String> own, CommandLine baton) {
        if (own.isEmpty() || !own.get(0).equals("help")) {
            return own;
        }
        List<String> words = new ArrayList<>(own.subList(1, own.size()));
        if (words.isEmpty() || baton.getSubcommands().containsKey(words.get(0))) {
            words.add("--help");
        }
        return words;
    }

    /** The command with the subcommands that these arguments call for. */
    static CommandLine line(Arguments split) {
        List<String> own = split.own();
        List<String> below = own.stream().skip(1).toList();
        // A script that completes command lines has all of them.
        boolean all = own.indexOf("completion") == 0;
        CommandLine baton = new Subcommands()
                .with("demo", DemoCommand::new)
                .with("lock", () -> new LockCommand(split.command()))
                .with("queue", QueueCommand::new)
                .with("release-request", ReleaseRequestCommand::new)
                .with("evict", EvictCommand::new)
                .with("semaphore", SemaphoreCommand::line)
                .with("counter", CounterCommand::new)
                .with("group", GroupCommand::new)
                .with("latch", LatchCommand::new)
                .with("ask", AskCommand::new)
                .with("elect", () -> new ElectCommand(split.command()))
                .with("leader", LeaderCommand::new)
                .with("standby", () -> StandbyCommand.line(below))
                .with("config", () -> ConfigCommand.line(below))
                .with("ls", LsCommand::new)
                .with("status", StoreStatusCommand::new)
                .with("doctor", DoctorCommand::new)
                .with("server", ServerCommand::new)
                .with("completion", CompletionCommand::new)
                .addTo(new CommandLine(new Main()), all ? List.of() : own);
        baton.setExpandAtFiles(false);
        baton.setUsageHelpWidth(HELP_COLUMNS);
        return baton;
    }

    private static int misunderstood(ParameterException wrong, Arguments given) {
        String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
        Failure failure =
                Failure.usage(Mistake.of(wrong, !given.command().isEmpty()) + " (see '" + command + " --help')");
        return reported(failure, given);
    }

    private static int reported(Throwable thrown, Arguments given) {
        // If a signal is ending this JVM, the failure is a result of that.
        return ending() ? Exit.FAILED : reported(Failure.of(thrown), given);
    }

    /** Also in the status file: nothing has run that would have written it. */
    private static int reported(Failure failure, Arguments given) {
        given.statusFile().ifPresent(file -> StatusFile.report(file, failure));
        return failure.report();
    }

    private static boolean ending() {
        Thread probe = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            return !Runtime.getRuntime().removeShutdownHook(probe);
        } catch (IllegalStateException shuttingDown) {
            return true;
        }
    }

    @Override
    public void run() {
        List<String> commands = List.copyOf(spec.subcommands().keySet());
        int last = commands.size() - 1;
        throw Failure.usage("say what to do: " + String.join(", ", commands.subList(0, last)) + " or "
                + commands.get(last) + " (see 'baton --help')");
    }
}
