package io.baton.examples;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.election.LeaderElection;
import io.baton.election.LeaderObserver;
import io.baton.testkit.server.ChildProcess;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A service whose process is told to stop leaves its place before it ends, and not with its session. */
@Timeout(120)
class StoppedProcessIT {

    @Test
    void sigterm_leaderWithAShutdownHook_hasLeftWhenItsProcessHasEnded() throws Exception {
        try (LocalZooKeeper zookeeper = LocalZooKeeper.start();
                Coordinator baton = Coordinator.connect(zookeeper.uri("shop"));
                LeaderObserver observer =
                        LeaderElection.named(baton, "dispatcher").observe()) {
            Process process = service(zookeeper.uri("shop"));
            try {
                assertThat(observer.awaitLeader().id()).isEqualTo("node-1");
                process.destroy();
                assertThat(process.waitFor(60, SECONDS)).isTrue();
                assertThat(zookeeper.contents().ephemerals()).as("entries").isZero();
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static Process service(String store) throws IOException {
        return ChildProcess.java(Dispatching.class, ChildProcess.SMALL, List.of(store, "node-1", "h1:80"))
                .redirectErrorStream(true)
                .redirectOutput(Path.of("target", "dispatching.txt").toFile())
                .start();
    }
}
