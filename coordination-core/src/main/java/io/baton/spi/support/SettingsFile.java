package io.baton.spi.support;

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

/**
 * Settings from a properties file and the environment; the file takes precedence. A secret is set by its value, or by
 * the name of a file that holds it (with {@code .file} after the setting's name).
 */
public final class SettingsFile {

    private final Properties properties;
    private final Map<String, String> environment;
    private final String prefix;

    private SettingsFile(Properties properties, Map<String, String> environment, String prefix) {
        this.properties = properties;
        this.environment = environment;
        this.prefix = prefix;
    }

    /**
     * Reads the file, if there is one; the environment serves for settings that are not in it.
     *
     * @param names the names of all settings, as in a file
     * @param prefix the prefix of names in the environment: with {@code BATON_ZK_}, {@code digest.user} is
     *     {@code BATON_ZK_DIGEST_USER}
     * @throws IllegalArgumentException if the file cannot be read or holds an unknown setting; the message says which
     */
    public static SettingsFile read(
            Set<String> names, Optional<Path> file, Map<String, String> environment, String prefix) {
        Properties properties =
                file.map(path -> load(path, new TreeSet<>(names))).orElseGet(Properties::new);
        return new SettingsFile(properties, environment, prefix);
    }

    /** Returns a setting; empty if it is not set. */
    public Optional<String> text(String name) {
        String value = properties.getProperty(name);
        return Optional.ofNullable(value != null ? value : environment.get(variable(name)));
    }

    /**
     * Returns a secret, set by its value or by a file; empty if it is not set.
     *
     * @throws IllegalArgumentException if both are set
     */
    public Optional<Secret> secret(String name) {
        Optional<Secret> value = text(name).map(set -> Secret.from("set as " + name, set));
        Optional<Path> file = path(name + ".file");
        if (value.isPresent() && file.isPresent()) {
            throw new IllegalArgumentException("set " + name + " or " + name + ".file, not both");
        }
        return value.or(() -> file.map(Secret::file));
    }

    /** Returns a key store, with the password at {@code .password}; empty if it is not set. */
    public Optional<KeyFile> keyFile(String name) {
        return path(name).map(path -> new KeyFile(path, secret(name + ".password")));
    }

    private Optional<Path> path(String name) {
        try {
            return text(name).map(Path::of);
        } catch (InvalidPathException impossible) {
            throw new IllegalArgumentException(name + " is not a path");
        }
    }

    private static Properties load(Path file, Set<String> names) {
        var properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "cannot read the settings in " + file + ": " + Secret.reason(unreadable));
        }
        for (String name : properties.stringPropertyNames()) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no setting '" + name + "', as " + file + " has it; there are " + names);
            }
            if (name.endsWith(".password") || name.equals("password")) {
                Secret.warnIfReadableByAll(file);
            }
        }
        return properties;
    }

    private String variable(String name) {
        return prefix + name.toUpperCase(Locale.ROOT).replace('.', '_');
    }
}
