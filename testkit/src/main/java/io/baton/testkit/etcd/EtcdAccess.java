package io.baton.testkit.etcd;

import io.baton.testkit.server.Certificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How clients access a test server: with or without TLS, a client certificate, and a password.
 *
 * @param certificates the certificates for TLS; empty without TLS
 * @param mutual whether clients present a certificate
 * @param authentication whether clients name a user and a password
 */
record EtcdAccess(Optional<Certificates> certificates, boolean mutual, boolean authentication) {

    static final String ROOT = "root";
    static final String ROOT_PASSWORD = "root's-secret";

    private static final String SERVER = "server";
    private static final String CLIENT = "client";

    /** Uses keys and certificates in this directory: the same for each server of this JVM on such a host. */
    static EtcdAccess secured(Path directory, String host, boolean mutual, boolean authentication) {
        Certificates certificates = Certificates.copied(directory, "etcd " + host, made -> make(made, host));
        return new EtcdAccess(Optional.of(certificates), mutual, authentication);
    }

    /** Replaces the keys and certificates. */
    void renew(String host) {
        Certificates made = certificates.orElseThrow(() -> new IllegalStateException("this server speaks no TLS"));
        try {
            for (String name : List.of(SERVER + ".p12", CLIENT + ".p12", "trusts-" + SERVER + ".p12")) {
                Files.delete(made.directory().resolve(name));
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        make(made, host);
    }

    private static void make(Certificates certificates, String host) {
        certificates.key(SERVER, host);
        certificates.privateKey(SERVER);
        certificates.certificate(SERVER);
        certificates.trusting(SERVER, "PKCS12");
        certificates.key(CLIENT, "dns:client");
        certificates.privateKey(CLIENT);
        certificates.certificate(CLIENT);
        // The server connects to itself, with its own certificate.
        concatenate(
                certificates.directory().resolve("trusted.pem"),
                file(certificates, SERVER, ".pem"),
                file(certificates, CLIENT, ".pem"));
    }

    String scheme() {
        return certificates.isPresent() ? "https" : "http";
    }

    /** The scheme of Baton's addresses. */
    String batonScheme() {
        return certificates.isPresent() ? "etcds" : "etcd";
    }

    /** The same access without a user, as before users exist. */
    EtcdAccess anonymous() {
        return new EtcdAccess(certificates, mutual, false);
    }

    List<String> serverFlags() {
        List<String> flags = new ArrayList<>();
        certificates.ifPresent(made -> {
            flags.addAll(List.of("--cert-file", file(made, SERVER, ".pem").toString()));
            flags.addAll(List.of("--key-file", file(made, SERVER, ".key").toString()));
            if (mutual) {
                flags.add("--client-cert-auth");
                flags.addAll(List.of(
                        "--trusted-ca-file",
                        made.directory().resolve("trusted.pem").toString()));
            }
        });
        return flags;
    }

    List<String> clientFlags() {
        List<String> flags = new ArrayList<>();
        certificates.ifPresent(made -> {
            flags.addAll(List.of("--cacert", file(made, SERVER, ".pem").toString()));
            if (mutual) {
                flags.addAll(List.of("--cert", file(made, CLIENT, ".pem").toString()));
                flags.addAll(List.of("--key", file(made, CLIENT, ".key").toString()));
            }
        });
        if (authentication) {
            flags.addAll(List.of("--user", ROOT + ":" + ROOT_PASSWORD));
        }
        return flags;
    }

    private static Path file(Certificates made, String name, String ending) {
        return made.directory().resolve(name + ending);
    }

    private static void concatenate(Path to, Path... parts) {
        try {
            StringBuilder all = new StringBuilder();
            for (Path part : parts) {
                all.append(Files.readString(part));
            }
            Files.writeString(to, all);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
