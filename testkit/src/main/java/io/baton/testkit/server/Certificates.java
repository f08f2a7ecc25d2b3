package io.baton.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Keys and certificates for one test, made by the JDK's {@code keytool}: each signs itself, so whoever is to trust it
 * gets it as it is.
 *
 * @param directory where they are
 */
public record Certificates(Path directory) {

    /** The password of every store. */
    public static final String PASSWORD = "a-test's-secret";

    /**
     * Makes a key and its certificate, as {@code <name>.p12}.
     *
     * @param host what it is a certificate for, as {@code dns:localhost,ip:127.0.0.1}
     */
    public Path key(String name, String host) {
        Path store = directory.resolve(name + ".p12");
        keytool(
                store,
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=" + host,
                "-validity",
                "2");
        return store;
    }

    /** The certificate of a key alone, as a PEM file. */
    public Path certificate(String name) {
        Path file = directory.resolve(name + ".pem");
        keytool(directory.resolve(name + ".p12"), "-exportcert", "-rfc", "-alias", name, "-file", file.toString());
        return file;
    }

    /** A key alone, not encrypted, as a PEM file. */
    public Path privateKey(String name) {
        try {
            KeyStore store =
                    KeyStore.getInstance(directory.resolve(name + ".p12").toFile(), PASSWORD.toCharArray());
            byte[] key = store.getKey(name, PASSWORD.toCharArray()).getEncoded();
            String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key);
            return Files.writeString(
                    directory.resolve(name + ".key"),
                    "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n");
        } catch (IOException | GeneralSecurityException broken) {
            throw new IllegalStateException("cannot write the key " + name, broken);
        }
    }

    /** A trust store of this type, {@code PKCS12} or {@code JKS}, that trusts the certificate of this key. */
    public Path trusting(String name, String type) {
        Path store = directory.resolve("trusts-" + name + (type.equals("JKS") ? ".jks" : ".p12"));
        keytool(
                store,
                "-importcert",
                "-noprompt",
                "-alias",
                name,
                "-file",
                certificate(name).toString(),
                "-storetype",
                type);
        return store;
    }

    private static void keytool(Path store, String... args) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(args));
        command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("keytool failed: " + said);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot run keytool", broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
