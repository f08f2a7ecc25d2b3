package io.baton.cli.run;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The socket on which baton listens for its watchdog, in a directory that only this user can enter. Stdin and stdout
 * belong to the command. The side that closes first removes the directory.
 */
final class WatchdogSocket implements AutoCloseable {

    /** The longest path of a socket that every system allows. */
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

    /** The argument of {@link #to}. */
    Path directory() {
        return directory;
    }

    private Path socket() {
        return directory.resolve(SOCKET);
    }

    /** A text that is unique on this machine. */
    String mark() {
        return directory.toString();
    }

    /** Connects from the watchdog's side. The directory is no longer needed then, whether or not that succeeds. */
    static LineChannel to(Path directory) throws IOException {
        try {
            return LineChannel.to(directory.resolve(SOCKET));
        } finally {
            remove(directory);
        }
    }

    /** Waits for the watchdog; {@link #close} ends the wait. */
    LineChannel accept() throws IOException {
        return new LineChannel(server.accept());
    }

    @Override
    public void close() {
        try {
            server.close();
            remove(directory);
        } catch (IOException leftBehind) {
            // Only an empty temporary directory remains.
        }
    }

    /** Removes the files of {@link #open}. */
    static void remove(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(SOCKET));
        Files.deleteIfExists(directory);
    }
}
