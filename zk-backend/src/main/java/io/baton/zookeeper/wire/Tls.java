package io.baton.zookeeper.wire;

import io.baton.spi.support.KeyFile;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Exception;

/**
 * The TLS settings of one client, on the JDK's own implementation. They apply to this client alone and change no system
 * properties.
 *
 * <p>A server's certificate must name the host that was connected to. This check cannot be disabled: Netty 4.2 makes it
 * even if the client library is configured without it.
 *
 * @param trust certificates that server certificates must descend from; the JDK's own if empty
 * @param own this client's certificate and its key, for servers that require one
 */
record Tls(Optional<KeyFile> trust, Optional<KeyFile> own) {

    /** Applies these settings to a client's configuration. */
    void apply(ZKClientConfig config) {
        try (ClientX509Util names = new ClientX509Util()) {
            config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
            config.setProperty(
                    ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
            config.setProperty(names.getSslHostnameVerificationEnabledProperty(), "true");
            trust.ifPresent(file -> {
                config.setProperty(
                        names.getSslTruststoreLocationProperty(), file.path().toString());
                config.setProperty(
                        names.getSslTruststoreTypeProperty(), file.kind().name());
                config.setProperty(names.getSslTruststorePasswdProperty(), file.secret());
            });
            own.ifPresent(file -> {
                config.setProperty(
                        names.getSslKeystoreLocationProperty(), file.path().toString());
                config.setProperty(
                        names.getSslKeystoreTypeProperty(), file.kind().name());
                config.setProperty(names.getSslKeystorePasswdProperty(), file.secret());
            });
        }
    }

    /**
     * Opens the stores and returns a context for a plain socket.
     *
     * @throws IllegalArgumentException if a store cannot be opened; the message says which, and why
     */
    SSLContext context() {
        trust.ifPresent(file -> context(new Tls(trust, Optional.empty()), "trust store " + file.path()));
        return context(this, own.map(file -> "key store " + file.path()).orElse("JVM's trust store"));
    }

    private static SSLContext context(Tls tls, String what) {
        ZKClientConfig config = new ZKClientConfig();
        tls.apply(config);
        try (ClientX509Util util = new ClientX509Util()) {
            return util.createSSLContext(config);
        } catch (X509Exception.SSLContextException broken) {
            throw new IllegalArgumentException("cannot open the " + what + ": " + TlsMismatchProbe.root(broken)
                    + "; is its password right, and is it a PKCS12, JKS or PEM file?");
        }
    }
}
