package io.baton.cli.demo;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.testkit.etcd.EtcdExtension;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The same story on etcd. */
@Tag("etcd")
@Tag("long")
class EtcdDemoIT {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @TempDir
    Path directory;

    @Test
    void demo_onEtcd_provesEveryClaimAndLeavesNothing() throws Exception {
        DemoIT.provesEveryClaim(directory, List.of("demo", "--connect", etcd.uri(), "--ttl", "3s"));
        // The killed worker's session, and the one that the frozen worker has lost, end by themselves.
        await().atMost(30, SECONDS)
                .untilAsserted(() -> assertThat(etcd.server().keys("/")).isEmpty());
    }
}
