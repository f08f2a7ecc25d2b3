package io.baton.etcd.wire;

import io.baton.Secret;
import io.baton.spi.support.KeyFile;
import io.baton.spi.support.SettingsFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a client needs beyond an address: who it is, and how its connection is protected.
 *
 * @param user the client's credentials
 * @param tls how to speak TLS; empty for the clear
 */
public record Settings(Optional<Login.User> user, Optional<RenewedTls> tls) {

    /** No credentials, no TLS. */
    public static final Settings NONE = new Settings(Optional.empty(), Optional.empty());

    /** What can be set, by its name in a file; in the environment {@code user} is {@code BATON_ETCD_USER}. */
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
     * Puts settings together.
     *
     * @throws IllegalArgumentException if they cannot work; the message says why
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

    /** Reads a file of properties, if there is one, and the environment for what is not in it. */
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
