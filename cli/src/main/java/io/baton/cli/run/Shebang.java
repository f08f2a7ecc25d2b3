package io.baton.cli.run;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the first line of a script, {@code #!} with its interpreter. Without that, {@code setsid} or {@code env} ends
 * with a status of its own, which looks like the status of a script that ran.
 */
final class Shebang {

    /** How much of a script Linux looks at. */
    private static final int MOST = 256;

    private static final Pattern LINE =
            Pattern.compile("#![ \\t]*(?<interpreter>[^ \\t\\n\\x00]+)[ \\t]*(?<argument>[^\\n\\x00]*)");

    /** Other systems, such as macOS, split the argument at blanks. */
    private static final boolean ONE_ARGUMENT = System.getProperty("os.name").equals("Linux");

    private Shebang() {}

    /**
     * Checks that the interpreter of this file can be started, if it is a script.
     *
     * @throws Failure if it cannot
     */
    static void check(String command, Path file) {
        String head = head(file);
        Matcher line = LINE.matcher(head);
        boolean whole = head.contains("\n") || head.length() < MOST;
        if (!whole || !line.lookingAt()) {
            return;
        }
        String interpreter = line.group("interpreter");
        checkFile(command, interpreter);
        String argument = line.group("argument").replaceFirst("[ \\t]+$", "");
        String program = ONE_ARGUMENT ? argument : argument.replaceFirst("[ \\t].*", "");
        boolean found = program.isEmpty() || program.startsWith("-") || program.contains("=");
        if (interpreter.endsWith("/env") && !found) {
            checkProgram(command, program);
        }
    }

    private static void checkFile(String command, String interpreter) {
        Path file = Path.of(interpreter);
        if (!Files.exists(file)) {
            throw refused(command, interpreter, "which is not there");
        } else if (!Files.isRegularFile(file) || !Files.isExecutable(file)) {
            throw refused(command, interpreter, "which is no executable file");
        }
    }

    /** Checks what {@code env} is to start. */
    private static void checkProgram(String command, String program) {
        if (program.contains("/")) {
            checkFile(command, program);
        } else if (Executable.find(program).isEmpty()) {
            boolean blank = program.matches(".*[ \\t].*");
            throw refused(command, program, "which is not in PATH" + (blank ? " ('env -S' splits at blanks)" : ""));
        }
    }

    private static Failure refused(String command, String wanted, String why) {
        String reason = wanted.endsWith("\r")
                ? "its first line ends with a carriage return, as on Windows; remove those, as with dos2unix"
                : "its first line asks for '" + wanted + "', " + why + "; install that, or correct the line";
        return new Failure(Exit.CANNOT_START, "cannot start '" + command + "': " + reason);
    }

    private static String head(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MOST), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            // The system may start what this process may not read.
            return "";
        }
    }
}
