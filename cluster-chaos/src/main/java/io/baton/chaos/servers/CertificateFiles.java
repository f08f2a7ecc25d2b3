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
 */
final class CertificateFiles {

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
            made.authority(AUTHORITY);
            made.certificate(AUTHORITY);
            made.trusting(AUTHORITY, "PKCS12");
            renew(Duration.ofDays(1));
            Files.writeString(folder.resolve("password"), Certificates.PASSWORD);
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot make certificates in " + folder, broken);
        }
    }

    /**
     * Makes others, and puts them in the place of those before: first what the clients trust, then what the servers show.
     *
     * @param lasts for how long the clients' certificate is valid
     */
    void renew(Duration lasts) {
        made.issued(SERVER, AUTHORITY, "ip:127.0.0.1", Duration.ofDays(1));
        made.certificate(SERVER);
        made.privateKey(SERVER);
        made.issued(CLIENT, AUTHORITY, "dns:client", lasts);
        replace("server.pem", trusted());
        replace("server.p12", serverStore());
        replace("server.pem", serverCertificate());
        replace("server.key", serverKey());
        replace("client.p12", folder.resolve("client.p12"));
    }

    /** The servers' certificate and key, PKCS12. */
    Path serverStore() {
        return folder.resolve("server.p12");
    }

    /** The servers' certificate, PEM. */
    Path serverCertificate() {
        return folder.resolve("server.pem");
    }

    /** Its key, PEM. */
    Path serverKey() {
        return folder.resolve("server.key");
    }

    /** Who signs the clients' certificates, PEM. */
    Path authority() {
        return made.directory().resolve(AUTHORITY + ".pem");
    }

    /** The same, PKCS12. */
    Path authorityStore() {
        return made.directory().resolve("trusts-" + AUTHORITY + ".p12");
    }

    /** What a client's settings say of them. */
    List<String> settings() {
        return List.of(
                "truststore=" + trusted(),
                "keystore=" + folder.resolve("client.p12"),
                "keystore.password.file=" + folder.resolve("password"));
    }

    private Path trusted() {
        return folder.resolve("trusted.pem");
    }

    private void replace(String name, Path file) {
        try {
            Files.copy(made.directory().resolve(name), file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot renew " + file, broken);
        }
    }
}
