package io.baton.testkit.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.testkit.server.Directories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a cluster leaves behind once it is closed. All processes and threads of the JVM are counted, so nothing runs beside it. */
@Tag("etcd")
@Timeout(180)
@Tag("long")
class EtcdClusterLeftoversIT {

    @Test
    void close_oneFrozenOneKilledOneCutOff_leavesNothingBehind() throws Exception {
        Set<Long> children = children();
        try (EtcdCluster cluster = EtcdCluster.start()) {
            cluster.freeze(1);
            cluster.kill(2);
            cluster.isolate(3);
        }

        await().untilAsserted(() -> assertThat(children()).isEqualTo(children));
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("tcp-proxy-")
                        || thread.getName().startsWith("etcd-"));
        try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith(Directories.prefix("etcd")));
        }
    }

    private static Set<Long> children() {
        return ProcessHandle.current().descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
    }
}
