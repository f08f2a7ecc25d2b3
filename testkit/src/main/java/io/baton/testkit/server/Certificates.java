package io.baton.testkit.server;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Keys and certificates for one test, created with the JDK's {@code keytool}. A key's certificate is signed by the key
 * itself, and then trusted as it is, or by an authority.
 *
 * @param directory the directory of the files
 */
public record Certificates(Path directory) {

    /** The password of every store. */
    public static final String PASSWORD = "a-test's-secret";

    // A ZooKeeper server reads its stores anew for each connection. The default 10,000 rounds of hashing would keep a
    // processor busy for a quarter of a second each time.
    private static final List<String> CHEAP = List.of(
            "-J-Dkeystore.pkcs12.certPbeIterationCount=1",
            "-J-Dkeystore.pkcs12.keyPbeIterationCount=1",
            "-J-Dkeystore.pkcs12.macIterationCount=1",
            "-J-XX:TieredStopAtLevel=1");

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Map<String, Map<String, byte[]>> MADE = new ConcurrentHashMap<>();

    /**
     * Returns a set of keys and certificates in this directory. The set is created once in this JVM, and copied from
     * then on.
     *
     * @param set the name of the set
     * @param make creates it, in a directory of its own
     */
    public static Certificates copied(Path directory, String set, Consumer<Certificates> make) {
        Map<String, byte[]> files = MADE.computeIfAbsent(set, none -> made(make));
        try {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Files.write(directory.resolve(file.getKey()), file.getValue());
            }
            return new Certificates(directory);
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot copy certificates", broken);
        }
    }

    private static Map<String, byte[]> made(Consumer<Certificates> make) {
        Path home = Directories.temporary("certificates");
        try {
            make.accept(new Certificates(home));
            return files(home);
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot read certificates", broken);
        } finally {
            Directories.delete(home);
        }
    }

    private static Map<String, byte[]> files(Path home) throws IOException {
        var files = new HashMap<String, byte[]>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(home)) {
            for (Path file : all) {
                files.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    /**
     * Creates a key and its certificate, as {@code <name>.p12}.
     *
     * @param host the names in the certificate, as {@code dns:localhost,ip:127.0.0.1}
     */
    public Path key(String name, String host) {
        Path store = directory.resolve(name + ".p12");
        keytool(store, generate(name, "-ext", "san=" + host, "-validity", "2"));
        return store;
    }

    /** Creates a key, as {@code <name>.p12}, whose certificate may sign others. */
    public Path authority(String name) {
        Path store = directory.resolve(name + ".p12");
        keytool(store, generate(name, "-ext", "bc=ca:true", "-validity", "2"));
        return store;
    }

    /**
     * Creates a key, as {@code <name>.p12}, with a certificate signed by this authority. Replaces one of the same name
     * in one step.
     *
     * @param lasts how long the certificate is valid from now, in whole seconds; less than two days
     */
    public Path issued(String name, String authority, String host, Duration lasts) {
        Path next = directory.resolve(name + ".next");
        char[] password = PASSWORD.toCharArray();
        try {
            Files.copy(directory.resolve(authority + ".p12"), next, StandardCopyOption.REPLACE_EXISTING);
            keytool(
                    next,
                    generate(
                            name,
                            "-signer",
                            authority,
                            "-ext",
                            "san=" + host,
                            "-startdate",
                            "-2d+" + lasts.toSeconds() + "S",
                            "-validity",
                            "2"));
            KeyStore store = KeyStore.getInstance(next.toFile(), password);
            store.deleteEntry(authority);
            write(store, next);
            return Files.move(next, directory.resolve(name + ".p12"), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | GeneralSecurityException broken) {
            throw new IllegalStateException("cannot issue " + name, broken);
        }
    }

    /** The certificate of a key, without the key, as a PEM file. */
    public Path certificate(String name) {
        try {
            return pem(
                    name, ".pem", "CERTIFICATE", open(name).getCertificate(name).getEncoded());
        } catch (IOException | GeneralSecurityException broken) {
            throw new IllegalStateException("cannot write the certificate " + name, broken);
        }
    }

    /** The key without its certificate, unencrypted, as a PEM file. */
    public Path privateKey(String name) {
        try {
            byte[] key = open(name).getKey(name, PASSWORD.toCharArray()).getEncoded();
            return pem(name, ".key", "PRIVATE KEY", key);
        } catch (IOException | GeneralSecurityException broken) {
            throw new IllegalStateException("cannot write the key " + name, broken);
        }
    }

    /** A trust store of this type, {@code PKCS12} or {@code JKS}, that contains the certificate of this key. */
    public Path trusting(String name, String type) {
        Path store = directory.resolve("trusts-" + name + (type.equals("JKS") ? ".jks" : ".p12"));
        try {
            // A PKCS12 store keeps to the few rounds of hashing of the one that it is made from.
            KeyStore from = open(name);
            KeyStore trust = from;
            if (type.equals("JKS")) {
                trust = KeyStore.getInstance(type);
                trust.load(null, null);
            }
            Certificate certificate = from.getCertificate(name);
            trust.deleteEntry(name);
            trust.setCertificateEntry(name, certificate);
            write(trust, store);
        } catch (IOException | GeneralSecurityException broken) {
            throw new IllegalStateException("cannot trust " + name, broken);
        }
        return store;
    }

    private KeyStore open(String name) throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(directory.resolve(name + ".p12").toFile(), PASSWORD.toCharArray());
    }

    private static void write(KeyStore store, Path file) throws IOException, GeneralSecurityException {
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
    }

    private Path pem(String name, String ending, String what, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(
                directory.resolve(name + ending),
                "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
    }

    private static String[] generate(String name, String... more) {
        List<String> words = new ArrayList<>(List.of("-genkeypair", "-alias", name, "-dname", "CN=" + name));
        words.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    private static void keytool(Path store, String... args) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(CHEAP);
        command.addAll(List.of(args));
        command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
        Command.Outcome outcome = Command.run(command, Map.of(), PATIENCE);
        if (!outcome.ok()) {
            throw new IllegalStateException("keytool failed: " + outcome.out() + outcome.err());
        }
    }
}
