package io.baton.cli.lock;

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
final class Porch implements AutoCloseable {

    /** What every system takes for the path of a socket. */
    private static final int MAX_PATH = 100;

    private static final Path SHORT = Path.of("/tmp");

    private final Path socket;
    private final ServerSocketChannel server;

    private Porch(Path socket, ServerSocketChannel server) {
        this.socket = socket;
        this.server = server;
    }

    static Porch open() throws IOException {
        Path directory = Files.createTempDirectory("baton");
        if (directory.toString().length() > MAX_PATH) {
            Files.delete(directory);
            directory = Files.createTempDirectory(SHORT, "baton");
        }
        Path socket = directory.resolve("w");
        var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        Porch porch = new Porch(socket, server);
        try {
            server.bind(UnixDomainSocketAddress.of(socket));
            return porch;
        } catch (IOException refused) {
            porch.close();
            throw refused;
        }
    }

    Path socket() {
        return socket;
    }

    /** A text that nobody else has. */
    String mark() {
        return socket.getParent().toString();
    }

    /** Waits for the watchdog; {@link #close} ends that. */
    Talk accept() throws IOException {
        return new Talk(server.accept());
    }

    @Override
    public void close() {
        try {
            server.close();
            Files.deleteIfExists(socket);
            Files.deleteIfExists(socket.getParent());
        } catch (IOException leftBehind) {
            // An empty directory among the temporary ones.
        }
    }
}
