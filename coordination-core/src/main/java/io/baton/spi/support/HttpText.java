package io.baton.spi.support;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;

/**
 * A short text that a server tells over HTTP, as many do of their state.
 *
 * @param text what it tells
 * @param date what its clock showed, to the second; empty if it does not say
 */
public record HttpText(String text, Optional<Instant> date) {

    private static final int MOST = 4 << 20;

    /**
     * Asks for it, past all proxies. Blocks.
     *
     * @param tls how to speak TLS, for {@code https}
     * @param patience how long connecting, and then each part of the answer, may take
     * @return empty if there is no answer, or another one than a text
     */
    public static Optional<HttpText> get(URI from, Optional<SSLContext> tls, Duration patience) {
        try {
            var connection = (HttpURLConnection) from.toURL().openConnection(Proxy.NO_PROXY);
            if (connection instanceof HttpsURLConnection secure) {
                tls.ifPresent(context -> secure.setSSLSocketFactory(context.getSocketFactory()));
            }
            connection.setConnectTimeout((int) patience.toMillis());
            connection.setReadTimeout((int) patience.toMillis());
            connection.setInstanceFollowRedirects(false);
            return read(connection);
        } catch (IOException silent) {
            return Optional.empty();
        }
    }

    private static Optional<HttpText> read(HttpURLConnection connection) throws IOException {
        try {
            if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
                return Optional.empty();
            }
            long date = connection.getDate();
            try (InputStream body = connection.getInputStream()) {
                return Optional.of(new HttpText(
                        new String(body.readNBytes(MOST), StandardCharsets.UTF_8),
                        date == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(date))));
            }
        } finally {
            connection.disconnect();
        }
    }
}
