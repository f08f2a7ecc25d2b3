package io.baton.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("etcd")
@Timeout(120)
class ServerIT {

    private static final int WRITES = 20;
    private static final Pattern SYNCS =
            Pattern.compile("^etcd_disk_wal_fsync_duration_seconds_count (\\d+)$", Pattern.MULTILINE);

    @Test
    void start_etcdForced_syncsItsLogWithEachWrite() throws Exception {
        assertThat(syncs(true)).isGreaterThanOrEqualTo(WRITES);
    }

    @Test
    void start_etcdNotForced_doesNotSyncItsLog() throws Exception {
        assertThat(syncs(false)).isLessThan(WRITES);
    }

    private static long syncs(boolean forced) throws Exception {
        try (Server server = Server.start("etcd", 1, forced)) {
            String address = "127.0.0.1:" + server.address().getPort();
            try (RawStore client = new RawEtcd(address)) {
                for (int i = 0; i < WRITES; i++) {
                    client.create();
                }
            }
            var request = HttpRequest.newBuilder(URI.create("http://" + address + "/metrics"));
            Matcher found = SYNCS.matcher(HttpClient.newHttpClient()
                    .send(request.build(), BodyHandlers.ofString())
                    .body());
            assertThat(found.find()).isTrue();
            return Long.parseLong(found.group(1));
        }
    }
}
