package io.baton.chaos;

import io.baton.testkit.server.Directories;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** A command that plays a scenario, and keeps what its processes have noted if something was wrong. */
public abstract class ScenarioCommand implements Callable<Integer> {

    @Option(names = "--keep", description = "Keep what the processes have noted even if nothing was wrong.")
    private boolean keep;

    /** For subclasses, filled by their options. */
    protected ScenarioCommand() {}

    /** Runs it and ends the JVM with its status: 2 if it could not be played. */
    protected static void run(ScenarioCommand command, String... args) {
        System.exit(new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    failure.printStackTrace();
                    return 2;
                })
                .execute(args));
    }

    /** The status, once it has been said what was wrong; what was noted in the folder goes if nothing was. */
    protected final int finish(boolean good, Path folder) {
        if (good && !keep) {
            Directories.delete(folder);
        } else {
            System.out.println("what the processes have noted is in " + folder);
        }
        return good ? 0 : 1;
    }
}
