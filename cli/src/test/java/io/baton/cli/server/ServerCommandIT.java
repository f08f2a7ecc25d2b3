package io.baton.cli.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.cli.BatonProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerCommandIT {

    private static final Pattern READY =
            Pattern.compile("ZooKeeper is ready at (zk://127\\.0\\.0\\.1:(\\d+)\\S*) .*\\R");

    @TempDir
    Path directory;

    @Test
    void server_freePort_servesUntilToldToEndAndLeavesNothing() throws Exception {
        try (BatonProcess server = start("server", "--port", "0", "--tick", "300ms")) {
            Matcher ready = ready(server);
            assertThat(ready.group(1)).endsWith("?tick=300ms");
            try (Coordinator baton = Coordinator.connect(ready.group(1))) {
                assertThat(baton.lock("x").tryAcquire()).isPresent();
            }
            server.signal("TERM");
            assertThat(server.status()).isZero();
            assertThat(server.err()).isEmpty();
            try (var files = Files.list(directory)) {
                assertThat(files.filter(Files::isDirectory)).isEmpty();
            }
        }
    }

    @Test
    void server_withDataDirectory_remembersAfterARestart() throws Exception {
        String data = directory.resolve("data").toString();
        try (BatonProcess first = start("server", "--port", "0", "--data", data)) {
            try (Coordinator baton = Coordinator.connect(ready(first).group(1))) {
                assertThat(baton.records("kept").create("x", new byte[] {1})).isTrue();
            }
            first.signal("INT");
            assertThat(first.status()).isZero();
        }
        try (BatonProcess second = start("server", "--port", "0", "--data", data);
                Coordinator baton = Coordinator.connect(ready(second).group(1))) {
            assertThat(baton.records("kept").get("x")).isPresent();
        }
    }

    @Test
    void server_portInUse_saysSoInOneLine() throws Exception {
        try (BatonProcess first = start("server", "--port", "0")) {
            String port = ready(first).group(2);
            try (BatonProcess second = start("server", "--port", port)) {
                assertThat(second.status()).isEqualTo(71);
                assertThat(second.err())
                        .startsWith("baton: cannot listen on 127.0.0.1:" + port)
                        .hasLineCount(1);
                assertThat(second.out()).isEmpty();
            }
        }
    }

    private BatonProcess start(String... args) {
        return BatonProcess.start(directory, Map.of(), List.of(args));
    }

    private static Matcher ready(BatonProcess server) {
        return await().atMost(30, SECONDS).until(() -> READY.matcher(server.out()), Matcher::matches);
    }
}
