package io.baton.testkit.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics that a server reports on {@code /metrics}. */
final class EtcdMetrics {

    private static final int PATIENCE_MILLIS = (int) Duration.ofSeconds(10).toMillis();

    private static final Pattern RECEIVED = Pattern.compile(
            "grpc_server_msg_received_total\\{grpc_method=\"(\\w+)\",grpc_service=\"\\w+\\.(\\w+)\"[^}]*} (\\S+)");

    private final int port;

    EtcdMetrics(int port) {
        this.port = port;
    }

    /** The number of messages that clients sent, by kind; kinds without messages are absent. */
    SortedMap<String, Long> requests() {
        SortedMap<String, Long> counts = new TreeMap<>();
        Matcher each = RECEIVED.matcher(text());
        while (each.find()) {
            long count = (long) Double.parseDouble(each.group(3));
            if (count > 0) {
                counts.put(each.group(2) + "/" + each.group(1), count);
            }
        }
        return Collections.unmodifiableSortedMap(counts);
    }

    /** The number of watches that clients have open. */
    long watches() {
        return value("etcd_debugging_mvcc_watcher_total");
    }

    /** The number of watch streams that clients have open. */
    long watchStreams() {
        return value("etcd_debugging_mvcc_watch_stream_total");
    }

    private long value(String name) {
        Matcher found =
                Pattern.compile("^" + name + " (\\S+)$", Pattern.MULTILINE).matcher(text());
        if (!found.find()) {
            throw new IllegalStateException("the server does not tell " + name);
        }
        return (long) Double.parseDouble(found.group(1));
    }

    private String text() {
        URI page = URI.create("http://127.0.0.1:" + port + "/metrics");
        try {
            HttpURLConnection connection = (HttpURLConnection) page.toURL().openConnection(Proxy.NO_PROXY);
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            try (InputStream body = connection.getInputStream()) {
                return new String(body.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("the server tells no metrics", broken);
        }
    }
}
