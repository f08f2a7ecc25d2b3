package io.baton.testkit.etcd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the local process at the other end of a connection, on Linux. */
final class SocketOwner {

    private static final Path CONNECTIONS = Path.of("/proc/net/tcp");

    private SocketOwner() {}

    /** Returns which of these processes has made the connection between these ports. */
    static Optional<Long> of(int from, int to, Collection<Long> pids) throws IOException {
        Optional<String> inode = inode(from, to);
        if (inode.isEmpty()) {
            return Optional.empty();
        }
        String socket = "socket:[" + inode.get() + "]";
        for (long pid : pids) {
            if (holds(pid, socket)) {
                return Optional.of(pid);
            }
        }
        return Optional.empty();
    }

    /** The inode of the socket with these ports, the local one first. */
    private static Optional<String> inode(int from, int to) throws IOException {
        String local = String.format(":%04X", from);
        String remote = String.format(":%04X", to);
        try (Stream<String> lines = Files.lines(CONNECTIONS)) {
            return lines.skip(1)
                    .map(line -> line.trim().split("\\s+"))
                    .filter(fields -> fields[1].endsWith(local) && fields[2].endsWith(remote))
                    .map(fields -> fields[9])
                    .findFirst();
        }
    }

    private static boolean holds(long pid, String socket) {
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return files.anyMatch(file -> leadsTo(file, socket));
        } catch (IOException gone) {
            return false;
        }
    }

    private static boolean leadsTo(Path file, String socket) {
        try {
            return Files.readSymbolicLink(file).toString().equals(socket);
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }
}
