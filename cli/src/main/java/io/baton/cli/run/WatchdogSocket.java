package io.baton.cli.run;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the watchdog finds baton: a socket in a directory that only this user can enter. Stdin and stdout cannot serve,
 * they belong to the command. Whoever closes first removes the directory.
 */
final class WatchdogSocket implements AutoCloseable {

    /** What every system takes for the path of a socket. */
    private static final int MAX_PATH = 100;

    private static final String SOCKET = "w";
    private static final Path SHORT = Path.of("/tmp");

    private final Path directory;
    private final ServerSocketChannel server;

    private WatchdogSocket(Path directory, ServerSocketChannel server) {
        this.directory = directory;
        this.server = server;
    }

    static WatchdogSocket open() throws IOException {
        Path directory = Files.createTempDirectory("baton");
        if (directory.toString().length() > MAX_PATH) {
            Files.delete(directory);
            directory = Files.createTempDirectory(SHORT, "baton");
        }
        var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        WatchdogSocket watchdogSocket = new WatchdogSocket(directory, server);
        try {
            server.bind(UnixDomainSocketAddress.of(watchdogSocket.socket()));
            return watchdogSocket;
        } catch (IOException refused) {
            watchdogSocket.close();
            throw refused;
        }
    }

    /** What {@link #to} takes. */
    Path directory() {
        return directory;
    }

    private Path socket() {
        return directory.resolve(SOCKET);
    }

    /** A text that nobody else has. */
    String mark() {
        return directory.toString();
    }

    /** The watchdog's side. Once connected, and also if baton has gone, nobody needs the directory any more. */
    static LineChannel to(Path directory) throws IOException {
        try {
            return LineChannel.to(directory.resolve(SOCKET));
        } finally {
            remove(directory);
        }
    }

    /** Waits for the watchdog; {@link #close} ends that. */
    LineChannel accept() throws IOException {
        return new LineChannel(server.accept());
    }

    @Override
    public void close() {
        try {
            server.close();
            remove(directory);
        } catch (IOException leftBehind) {
            // An empty directory among the temporary ones.
        }
    }

    /** Removes what {@link #open} has made. */
    static void remove(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(SOCKET));
        Files.deleteIfExists(directory);
    }
}
