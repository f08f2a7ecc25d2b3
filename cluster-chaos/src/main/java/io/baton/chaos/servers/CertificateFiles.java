package io.baton.chaos.servers;

import io.baton.testkit.server.Certificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

/**
 * The files with keys and certificates that the servers and the clients read, and what renews them in place. Clients trust
 * the servers' certificate of now, and no other. Servers trust those that one authority has signed and that have not run out.
 *
 * <p>All are PEM files. To open a store with a password takes long on purpose, and servers do that for each connection.
 */
final class CertificateFiles {

    private static final Duration FOR_LONG = Duration.ofDays(1);
    private static final String AUTHORITY = "authority";
    private static final String SERVER = "server";
    private static final String CLIENT = "client";

    private final Certificates made;
    private final Path folder;

    /** Makes the first ones, below this folder. */
    CertificateFiles(Path below) {
        folder = below.toAbsolutePath().resolve("tls");
        try {
            made = new Certificates(Files.createDirectories(folder.resolve("made")));
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot make " + folder, broken);
        }
        made.authority(AUTHORITY);
        made.certificate(AUTHORITY);
        renew(FOR_LONG);
    }

    /**
     * Makes others, and puts them in the place of those before: first what the clients trust, then what the servers show.
     *
     * @param lasts for how long the clients' certificate is valid
     */
    void renew(Duration lasts) {
        made.issued(SERVER, AUTHORITY, "ip:127.0.0.1,dns:localhost", FOR_LONG);
        made.issued(CLIENT, AUTHORITY, "dns:client", lasts);
        write(trusted(), made.certificate(SERVER));
        write(servers(), made.privateKey(SERVER), made.certificate(SERVER));
        write(clients(), made.privateKey(CLIENT), made.certificate(CLIENT));
    }

    /** The servers' certificate and its key. */
    Path servers() {
        return folder.resolve("servers.pem");
    }

    /** Who signs the clients' certificates. */
    Path authority() {
        return made.directory().resolve(AUTHORITY + ".pem");
    }

    /** What a client's settings say of them. */
    List<String> settings() {
        return List.of("truststore=" + trusted(), "keystore=" + clients());
    }

    private Path trusted() {
        return folder.resolve("trusted.pem");
    }

    private Path clients() {
        return folder.resolve("clients.pem");
    }

    /** Replaces the file in one step, as clients and servers may read it at any moment. */
    private static void write(Path file, Path... parts) {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            StringBuilder text = new StringBuilder();
            for (Path part : parts) {
                text.append(Files.readString(part));
            }
            Files.writeString(next, text);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot write " + file, broken);
        }
    }
}
