package io.baton.etcd.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MetricsTextTest {

    private static final String TEXT = """
            # HELP etcd_server_quota_backend_bytes Current backend storage quota size in bytes.
            # TYPE etcd_server_quota_backend_bytes gauge
            etcd_server_quota_backend_bytes 2.147483648e+09
            etcd_server_version{server_version="3.5.16"} 1
            etcd_debugging_mvcc_compact_revision -1
            etcd_debugging_mvcc_db_compaction_total_duration_milliseconds_count 4
            process_start_time_seconds 1.7e+09
            go_gc_pause NaN
            broken line
            """;

    @Test
    void parse_answerOfAMember_hasItsNumbers() {
        MetricsText metrics = MetricsText.parse(TEXT);
        assertThat(metrics.quota()).hasValue(2_147_483_648L);
        assertThat(metrics.compacted()).hasValue(-1);
        assertThat(metrics.compactionInterval(Instant.ofEpochSecond(1_700_000_400)))
                .contains(Duration.ofSeconds(100));
    }

    @Test
    void parse_somethingElse_hasNone() {
        MetricsText metrics = MetricsText.parse("<html>");
        assertThat(metrics.quota()).isEmpty();
        assertThat(metrics.compacted()).isEmpty();
        assertThat(metrics.compactionInterval(Instant.EPOCH)).isEmpty();
    }

    @Test
    void compactionInterval_oneCompaction_tellsNothing() {
        MetricsText once = MetricsText.parse("etcd_debugging_mvcc_db_compaction_total_duration_milliseconds_count 1\n"
                + "process_start_time_seconds 1.7e+09\n");
        assertThat(once.compactionInterval(Instant.ofEpochSecond(1_700_000_001)))
                .isEmpty();
    }
}
