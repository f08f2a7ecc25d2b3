package io.baton.etcd.wire;

import io.baton.spi.support.KeyFile;
import io.baton.spi.support.KeyStores;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/**
 * The TLS settings of a client, on the JDK's own implementation. A server's certificate must name the host that was
 * connected to.
 *
 * @param trust certificates that server certificates must descend from; the JDK's own if empty
 * @param own this client's certificate and its key, for servers that require one
 */
public record Tls(Optional<KeyFile> trust, Optional<KeyFile> own) {

    /**
     * Returns the contents and passwords of the files, for comparison.
     *
     * @throws IllegalArgumentException if one cannot be read; the message says which, and why
     */
    List<Object> content() {
        var all = new ArrayList<Object>();
        Stream.of(trust, own).flatMap(Optional::stream).forEach(file -> {
            all.add(ByteBuffer.wrap(file.content()));
            all.add(file.secret());
        });
        return all;
    }

    /**
     * Opens the files and returns a context for gRPC.
     *
     * @throws IllegalArgumentException if a file cannot be opened; the message says which, and why
     */
    SslContext context() {
        try {
            SslContextBuilder builder = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
            trusted().ifPresent(builder::trustManager);
            keys().ifPresent(builder::keyManager);
            return builder.build();
        } catch (GeneralSecurityException | SSLException broken) {
            throw unusable(broken);
        }
    }

    /**
     * Opens the files and returns a context for connections without gRPC.
     *
     * @throws IllegalArgumentException if a file cannot be opened; the message says which, and why
     */
    SSLContext plainContext() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    keys().map(KeyManagerFactory::getKeyManagers).orElse(null),
                    trusted().map(TrustManagerFactory::getTrustManagers).orElse(null),
                    null);
            return context;
        } catch (GeneralSecurityException broken) {
            throw unusable(broken);
        }
    }

    private Optional<TrustManagerFactory> trusted() throws GeneralSecurityException {
        if (trust.isEmpty()) {
            return Optional.empty();
        }
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(KeyStores.open(trust.get()));
        return Optional.of(factory);
    }

    private Optional<KeyManagerFactory> keys() throws GeneralSecurityException {
        if (own.isEmpty()) {
            return Optional.empty();
        }
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(KeyStores.openOwn(own.get()), own.get().secret().toCharArray());
        return Optional.of(factory);
    }

    private static IllegalArgumentException unusable(Exception broken) {
        return new IllegalArgumentException("cannot speak TLS: " + broken.getMessage());
    }
}
