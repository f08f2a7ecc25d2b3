package io.baton.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.server.Certificates;
import io.baton.testkit.zookeeper.SecureZooKeeper;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.netty.util.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both stores, over TLS, in one process, on the versions that the bill of materials names. */
@Tag("etcd")
class BothStoresIT {

    /** On a busy machine, the classes of both stores take a while. */
    private static final CoordinatorOptions PATIENT =
            CoordinatorOptions.builder().connectTimeout(Duration.ofMinutes(1)).build();

    @TempDir
    Path directory;

    @Test
    void acquire_onBothStoresAtOnceOverTls_holdsBoth() throws Exception {
        try (SecureZooKeeper zookeeper = SecureZooKeeper.start();
                LocalEtcd etcd = LocalEtcd.builder().tls().start();
                Coordinator there = Coordinator.connect(
                        zookeeper.uri("consumer") + "&config=" + settings("zookeeper", zookeeper.trustStore()),
                        PATIENT);
                Coordinator here = Coordinator.connect(
                        etcd.uri("consumer") + "?config=" + settings("etcd", trustStore(etcd)), PATIENT)) {
            try (Hold one = there.lock("orders").acquire();
                    Hold other = here.lock("orders").acquire()) {
                assertFalse(one.remaining().isZero());
                assertFalse(other.remaining().isZero());
            }
        }
    }

    @Test
    void jetcdsOwnClient_beside_works() throws Exception {
        ByteSequence key = ByteSequence.from("beside", UTF_8);
        try (LocalEtcd etcd = LocalEtcd.start();
                Client client = Client.builder().endpoints(etcd.endpoint()).build();
                KV kv = client.getKVClient();
                Coordinator baton = Coordinator.connect(etcd.uri("consumer"), PATIENT);
                Hold hold = baton.lock("orders").acquire()) {
            kv.put(key, ByteSequence.from("value", UTF_8)).get();
            assertArrayEquals(
                    "value".getBytes(UTF_8),
                    kv.get(key).get().getKvs().get(0).getValue().getBytes());
            assertFalse(hold.remaining().isZero());
        }
    }

    @Test
    void netty_everyJar_isOfOneVersion() {
        Map<String, String> versions = Version.identify().values().stream()
                .collect(Collectors.toMap(Version::artifactId, Version::artifactVersion));
        System.out.println("Netty: " + versions);
        assertFalse(versions.isEmpty());
        assertEquals(1, Set.copyOf(versions.values()).size(), () -> "one version of " + versions);
    }

    private static Path trustStore(LocalEtcd etcd) {
        return etcd.certificates().orElseThrow().directory().resolve("trusts-server.p12");
    }

    private Path settings(String name, Path trustStore) throws IOException {
        return Files.writeString(
                directory.resolve(name),
                "truststore=" + trustStore + "\ntruststore.password=" + Certificates.PASSWORD + "\n");
    }
}
