package io.baton.etcd.wire;

import io.baton.Secret;
import io.baton.spi.support.KeyFile;
import io.baton.spi.support.SettingsFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A client's settings beyond the address: its credentials, and the protection of its connection.
 *
 * @param user the client's credentials
 * @param tls the TLS settings; empty for plain text
 */
public record Settings(Optional<Login.User> user, Optional<RenewedTls> tls) {

    /** No credentials, no TLS. */
    public static final Settings NONE = new Settings(Optional.empty(), Optional.empty());

    /** The names of the settings in a file. In the environment, {@code user} is {@code BATON_ETCD_USER}. */
    private static final Set<String> NAMES = Set.of(
            "keystore",
            "keystore.password",
            "keystore.password.file",
            "password",
            "password.file",
            "truststore",
            "truststore.password",
            "truststore.password.file",
            "user");

    /**
     * Combines the settings, and opens the key stores.
     *
     * @throws IllegalArgumentException if the settings cannot work; the message says why
     */
    public static Settings of(
            Optional<Login.User> user, boolean secure, Optional<KeyFile> trust, Optional<KeyFile> own) {
        if (!secure && (trust.isPresent() || own.isPresent())) {
            throw new IllegalArgumentException("a trust store or key store is set, but etcd:// is not encrypted: use"
                    + " etcds:// and the servers' TLS port, or unset the stores");
        }
        Optional<RenewedTls> tls = secure ? Optional.of(new RenewedTls(new Tls(trust, own))) : Optional.empty();
        return new Settings(user, tls);
    }

    /**
     * Reads a properties file, if given, and takes missing settings from the environment.
     *
     * @throws IllegalArgumentException if the settings cannot work; the message says why
     */
    public static Settings read(boolean secure, Optional<Path> file, Map<String, String> environment) {
        SettingsFile set = SettingsFile.read(NAMES, file, environment, "BATON_ETCD_");
        Optional<String> name = set.text("user");
        Optional<Secret> password = set.secret("password");
        if (name.isPresent() != password.isPresent()) {
            throw new IllegalArgumentException(
                    "user and password (or password.file) belong together, and one is missing");
        }
        Optional<Login.User> user = name.flatMap(who -> password.map(secret -> new Login.User(who, secret)));
        return of(user, secure, set.keyFile("truststore"), set.keyFile("keystore"));
    }
}
