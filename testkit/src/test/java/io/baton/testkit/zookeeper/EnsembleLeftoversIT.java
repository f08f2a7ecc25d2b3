package io.baton.testkit.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.testkit.server.ChildProcess;
import io.baton.testkit.server.Directories;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@Tag("long")
class EnsembleLeftoversIT {

    @Test
    void close_oneFrozenOneKilledOneCutOff_leavesNothingBehind() throws Exception {
        Set<Long> children = children();
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        Set<Path> directories = directories(temporary, Directories.prefix("zookeeper"));
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            ensemble.freeze(1);
            ensemble.kill(2);
            ensemble.isolate(3);
        }

        assertThat(children()).isEqualTo(children);
        assertThat(directories(temporary, Directories.prefix("zookeeper"))).isEqualTo(directories);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("tcp-proxy-"));
    }

    @Test
    void processes_parentEndsInOrder_endWithItAndLeaveNoDirectory(@TempDir Path temporary) throws Exception {
        Process parent = holder(temporary);
        List<ProcessHandle> servers = servers(parent);

        parent.destroy();

        await().until(() -> servers.stream().noneMatch(ProcessHandle::isAlive));
        await().until(() -> directories(temporary, "baton-").isEmpty());
    }

    @Test
    void processes_parentIsKilled_endWithIt(@TempDir Path temporary) throws Exception {
        Process parent = holder(temporary);
        List<ProcessHandle> servers = servers(parent);

        parent.destroyForcibly();

        await().until(() -> servers.stream().noneMatch(ProcessHandle::isAlive));
    }

    private static Process holder(Path temporary) throws IOException {
        return ChildProcess.small(EnsembleHolder.class, List.of("-Djava.io.tmpdir=" + temporary), List.of())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static List<ProcessHandle> servers(Process parent) throws IOException {
        List<ProcessHandle> servers = new ArrayList<>();
        var lines = new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8));
        for (int server = 1; server <= 3; server++) {
            servers.add(ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow());
        }
        return servers;
    }

    private static Set<Long> children() {
        return ProcessHandle.current().descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    private static Set<Path> directories(Path parent, String prefix) throws IOException {
        try (var files = Files.list(parent)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .collect(Collectors.toSet());
        }
    }
}
