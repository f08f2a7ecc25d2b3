package io.baton.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * The processes of a command's session, as {@code /proc} of Linux lists them. A shell's job control, {@code timeout} and
 * others put what they start into process groups of their own, which stay in the session.
 *
 * @param leader the process that has begun the session, or is about to. While others are in the session, its number is
 *     given to no new process
 */
record CommandSession(ProcessHandle leader) {

    private static final Path PROCESSES = Path.of("/proc");

    /** The index of the session behind the name, which is the second: state, parent, group, session. */
    private static final int SESSION = 3;

    private static final int GROUP = 2;

    /** What has to be sent a signal for all of the session to get it: its groups, and a leader that has not begun it yet. */
    Set<Long> targets() {
        Set<Long> targets = groups();
        if (leader.isAlive() || !Files.isReadable(PROCESSES.resolve("self/stat"))) {
            targets.add(leader.pid());
        }
        return targets;
    }

    /** Whether a process of the session runs; false if the system does not list them. */
    boolean isAlive() {
        return !groups().isEmpty();
    }

    private Set<Long> groups() {
        Set<Long> groups = new TreeSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path process : all) {
                add(process.resolve("stat"), groups);
            }
        } catch (IOException | DirectoryIteratorException notListed) {
            return groups;
        }
        return groups;
    }

    private void add(Path stat, Set<Long> groups) {
        try {
            String line = new String(Files.readAllBytes(stat), StandardCharsets.ISO_8859_1);
            String[] behindTheName = line.substring(line.lastIndexOf(')') + 2).split(" ", SESSION + 2);
            boolean ended = behindTheName[0].equals("Z") || behindTheName[0].equals("X");
            if (!ended && Long.parseLong(behindTheName[SESSION]) == leader.pid()) {
                groups.add(Long.parseLong(behindTheName[GROUP]));
            }
        } catch (IOException gone) {
            // It has ended meanwhile.
        }
    }
}
