package io.baton.cli;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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

    private static boolean ended(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException goneOrNoSuchFileSystem) {
            return false;
        }
    }
}
