package io.baton.zookeeper.wire;

import io.baton.Secret;
import io.baton.spi.support.KeyFile;
import io.baton.spi.support.SettingsFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * A client's settings beyond the address: its credentials, the ACL of its nodes, and the protection of its connection.
 *
 * @param digest the client's credentials
 * @param acl the ACL of the nodes it creates
 * @param tls the TLS settings; empty for plain text
 */
public record Settings(Optional<Acl.Digest> digest, Acl acl, Optional<Tls> tls) {

    /** No credentials, no restrictions, no TLS. */
    public static final Settings NONE = new Settings(Optional.empty(), Acl.OPEN, Optional.empty());

    /** The names of the settings in a file. In the environment, {@code digest.user} is {@code BATON_ZK_DIGEST_USER}. */
    private static final Set<String> NAMES = Set.of(
            "acl",
            "digest.user",
            "digest.password",
            "digest.password.file",
            "keystore",
            "keystore.password",
            "keystore.password.file",
            "truststore",
            "truststore.password",
            "truststore.password.file");

    /**
     * Combines the settings, and opens the key stores.
     *
     * @throws IllegalArgumentException if the settings cannot work; the message says why
     */
    public static Settings of(
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

    /**
     * Reads a properties file, if given, and takes missing settings from the environment.
     *
     * @throws IllegalArgumentException if the settings cannot work; the message says why
     */
    public static Settings read(boolean secure, Optional<Path> file, Map<String, String> environment) {
        SettingsFile set = SettingsFile.read(NAMES, file, environment, "BATON_ZK_");
        Optional<String> user = set.text("digest.user");
        Optional<Secret> password = set.secret("digest.password");
        if (user.isPresent() != password.isPresent()) {
            throw new IllegalArgumentException("digest.user and digest.password (or digest.password.file) belong"
                    + " together, and one is missing");
        }
        Optional<Acl.Digest> digest = user.flatMap(name -> password.map(secret -> new Acl.Digest(name, secret)));
        return of(digest, set.text("acl"), secure, set.keyFile("truststore"), set.keyFile("keystore"));
    }

    /** Returns these settings as a configuration of the ZooKeeper client library. */
    public ZKClientConfig client() {
        ZKClientConfig config = new ZKClientConfig();
        tls.ifPresent(set -> set.apply(config));
        return config;
    }
}
