package io.baton.testkit.server;

import java.time.Duration;
import java.util.Collection;
import java.util.stream.Collectors;

/** Waits for servers. */
public final class ServerAwait {

    /** A condition to wait for. */
    public interface Check {
        /** Whether it holds now. */
        boolean holds();
    }

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 20;

    private ServerAwait() {}

    /**
     * Waits until the condition holds.
     *
     * @throws IllegalStateException if it does not hold within a minute, or if a server dies; the message holds the
     *     servers' output
     */
    public static void until(String what, Collection<ServerProgram> servers, Check check) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!check.holds()) {
            if (servers.stream().anyMatch(ServerProgram::hasDied)) {
                throw new IllegalStateException("a server has died by itself:\n" + report(servers));
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("waited a minute for " + what + " in vain:\n" + report(servers));
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a server", interrupted);
        }
    }

    private static String report(Collection<ServerProgram> servers) {
        return servers.stream()
                .map(server -> (server.isAlive() ? "runs" : "does not run") + ":\n" + server.logTail())
                .collect(Collectors.joining("\n"));
    }
}
