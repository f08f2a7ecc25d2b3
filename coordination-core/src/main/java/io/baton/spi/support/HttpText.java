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
 * A short text that a server returns over HTTP, such as its state.
 *
 * @param text the body, cut at 4 MiB
 * @param date the server's clock, to the second; empty if it sends none
 */
public record HttpText(String text, Optional<Instant> date) {

    private static final int MOST = 4 << 20;

    /**
     * Requests the text, bypassing all proxies. Blocks.
     *
     * @param tls the TLS context for {@code https}
     * @param patience the time limit of connecting, and then of each read
     * @return the text; empty if there is no answer, or one with a status other than 200
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
