package io.baton.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;

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

    /**
     * Sends something to all of the session, once to each of its process groups. The leader's is the first, as it takes
     * time to find the others; the leader may not have begun its session yet.
     */
    void sendToAll(LongConsumer group) {
        boolean leads = leader.isAlive() || !Files.isReadable(PROCESSES.resolve("self/stat"));
        if (leads) {
            group.accept(leader.pid());
        }
        groups().stream().filter(other -> !leads || other != leader.pid()).forEach(group::accept);
    }

    /** Returns a running process of the session, of whatever user; empty if the system lists none. */
    OptionalLong anyAlive() {
        return processes().keySet().stream().mapToLong(pid -> pid).findFirst();
    }

    private Set<Long> groups() {
        return new TreeSet<>(processes().values());
    }

    /** The processes that run, each with its group. */
    private Map<Long, Long> processes() {
        Map<Long, Long> processes = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path process : all) {
                add(process, processes);
            }
        } catch (IOException | DirectoryIteratorException notListed) {
            return processes;
        }
        return processes;
    }

    private void add(Path process, Map<Long, Long> processes) {
        try {
            String line = new String(Files.readAllBytes(process.resolve("stat")), StandardCharsets.ISO_8859_1);
            String[] behindTheName =
                    line.substring(line.lastIndexOf(')') + 1).strip().split(" ", SESSION + 2);
            boolean ended = behindTheName[0].equals("Z") || behindTheName[0].equals("X");
            if (!ended && behindTheName.length > SESSION && Long.parseLong(behindTheName[SESSION]) == leader.pid()) {
                processes.put(Long.parseLong(process.getFileName().toString()), Long.parseLong(behindTheName[GROUP]));
            }
        } catch (IOException gone) {
            // It has ended meanwhile.
        }
    }
}
