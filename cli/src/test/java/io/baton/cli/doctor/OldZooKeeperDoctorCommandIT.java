package io.baton.cli.doctor;

import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton doctor} on a server that is too old for Baton. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OldZooKeeperDoctorCommandIT {

    private OldZooKeeper old;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        old = OldZooKeeper.start(directory);
    }

    @AfterAll
    void stop() {
        old.close();
    }

    @Test
    void doctor_oldServer_isAProblemOfTheVersion() {
        Findings.of("zk://" + old.address() + "/app?tick=200ms")
                .status(1)
                .has("problem", "version", old.address() + " runs ZooKeeper 3.4", "run 3.6 or later")
                .has("problem", "version", "the servers have no container nodes")
                .has("ok", "servers", "all servers of the URI serve (1)")
                .has("ok", "tick", "a tickTime of 200 ms")
                .has("ok", "packets")
                .has("unknown", "clock");
        Findings.of("zk://" + old.address() + "?tick=200ms")
                .status(1)
                .has("problem", "version", "the servers have no container nodes")
                .has("unknown", "permissions", "a write of a container node");
    }

    @Test
    void doctor_oldServerBesideANewOne_isAlsoAWarningOfDifferentVersions() {
        try (LocalZooKeeper good = LocalZooKeeper.start()) {
            Findings.of(good.uri("app").replace("zk://", "zk://" + old.address() + ","))
                    .status(1)
                    .has("problem", "version", old.address() + " runs ZooKeeper 3.4")
                    .has("warning", "version", "different versions: 3.4", "finish the upgrade");
        }
    }
}
