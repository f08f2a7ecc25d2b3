package io.baton.cli;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Processes that are not our children: whether they still run. */
public final class Processes {

    private Processes() {}

    /** Waits until it no longer runs. */
    public static void awaitGone(long pid) {
        await().atMost(20, SECONDS).until(() -> !running(pid));
    }

    /** Whether it runs. One that has ended and whose parent has not yet asked how (in a container, maybe never) does not. */
    public static boolean running(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent() && !ended(pid);
    }

    /** Those that run and have all of these in their environment, each as {@code NAME=} or {@code NAME=VALUE}. */
    public static List<Long> with(String... variables) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> environment(pid)
                        .map(all -> Stream.of(variables).allMatch(one -> all.contains("\0" + one)))
                        .orElse(false))
                .filter(Processes::running)
                .toList();
    }

    private static Optional<String> environment(long pid) {
        try {
            byte[] all = Files.readAllBytes(Path.of("/proc/" + pid + "/environ"));
            return Optional.of("\0" + new String(all, StandardCharsets.UTF_8));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    private static boolean ended(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException goneOrNoSuchFileSystem) {
            return false;
        }
    }
}
