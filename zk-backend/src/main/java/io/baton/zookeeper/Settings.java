package io.baton.zookeeper;

import io.baton.Secret;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * What a client needs beyond an address: who it is, who may touch what it makes, and how its connection is protected.
 *
 * @param digest the client's credentials
 * @param acl the access list of what it makes
 * @param tls how to speak TLS; empty for the clear
 */
record Settings(Optional<Acl.Digest> digest, Acl acl, Optional<Tls> tls) {

    /** No credentials, no restrictions, no TLS. */
    static final Settings NONE = new Settings(Optional.empty(), Acl.OPEN, Optional.empty());

    /** What can be set, by its name in a file; in the environment {@code digest.user} is {@code BATON_ZK_DIGEST_USER}. */
    private static final Set<String> NAMES = new TreeSet<>(Set.of(
            "acl",
            "digest.user",
            "digest.password",
            "digest.password.file",
            "keystore",
            "keystore.password",
            "keystore.password.file",
            "truststore",
            "truststore.password",
            "truststore.password.file"));

    /** A store of keys or certificates, and its password. */
    record KeyFile(Path path, Optional<Secret> password) {

        String secret() {
            return password.map(Secret::reveal).orElse("");
        }
    }

    /**
     * Puts settings together.
     *
     * @throws IllegalArgumentException if they cannot work; the message says why
     */
    static Settings of(
            Optional<Acl.Digest> digest,
            Optional<String> acl,
            boolean secure,
            Optional<KeyFile> trust,
            Optional<KeyFile> own) {
        if (!secure && (trust.isPresent() || own.isPresent())) {
            throw new IllegalArgumentException("a trust store or key store is set, but zk:// is not encrypted: use"
                    + " zks:// and the servers' TLS port, or unset the stores");
        }
        Optional<Tls> tls = secure ? Optional.of(new Tls(trust, own)) : Optional.empty();
        tls.ifPresent(Tls::context);
        return new Settings(digest, Acl.of(acl, digest), tls);
    }

    /** Reads a file of properties, if there is one, and the environment for what is not in it. */
    static Settings read(boolean secure, Optional<Path> file, Map<String, String> environment) {
        Properties properties = file.map(Settings::load).orElseGet(Properties::new);
        Function<String, @Nullable String> lookup = name -> {
            String value = properties.getProperty(name);
            return value != null ? value : environment.get(variable(name));
        };
        Optional<String> user = Optional.ofNullable(lookup.apply("digest.user"));
        Optional<Secret> password = secret(lookup, "digest.password");
        if (user.isPresent() != password.isPresent()) {
            throw new IllegalArgumentException("digest.user and digest.password (or digest.password.file) belong"
                    + " together, and one is missing");
        }
        Optional<Acl.Digest> digest = user.flatMap(name -> password.map(secret -> new Acl.Digest(name, secret)));
        return of(
                digest,
                Optional.ofNullable(lookup.apply("acl")),
                secure,
                keyFile(lookup, "truststore"),
                keyFile(lookup, "keystore"));
    }

    /** For a client of the library's. */
    ZKClientConfig client() {
        ZKClientConfig config = new ZKClientConfig();
        tls.ifPresent(set -> set.apply(config));
        return config;
    }

    private static Optional<KeyFile> keyFile(Function<String, @Nullable String> lookup, String name) {
        return path(lookup, name).map(path -> new KeyFile(path, secret(lookup, name + ".password")));
    }

    private static Optional<Secret> secret(Function<String, @Nullable String> lookup, String name) {
        String value = lookup.apply(name);
        Optional<Path> file = path(lookup, name + ".file");
        if (value != null && file.isPresent()) {
            throw new IllegalArgumentException("set " + name + " or " + name + ".file, not both");
        }
        return value != null ? Optional.of(Secret.from("set as " + name, value)) : file.map(Secret::file);
    }

    private static Optional<Path> path(Function<String, @Nullable String> lookup, String name) {
        String value = lookup.apply(name);
        try {
            return Optional.ofNullable(value).map(Path::of);
        } catch (InvalidPathException impossible) {
            throw new IllegalArgumentException(name + " is not a path");
        }
    }

    private static Properties load(Path file) {
        var properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "cannot read the settings in " + file + ": " + Secret.reason(unreadable));
        }
        for (String name : properties.stringPropertyNames()) {
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no setting '" + name + "', as " + file + " has it; there are " + NAMES);
            }
            if (name.endsWith(".password")) {
                Secret.warnIfReadableByAll(file);
            }
        }
        return properties;
    }

    private static String variable(String name) {
        return "BATON_ZK_" + name.toUpperCase(Locale.ROOT).replace('.', '_');
    }
}
