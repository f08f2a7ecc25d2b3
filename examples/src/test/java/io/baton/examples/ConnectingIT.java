package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.spi.Store;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.server.Certificates;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.testkit.zookeeper.SecureZooKeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The stores of {@link Connecting}, on real servers that ask for what they are set up with. */
@Timeout(120)
class ConnectingIT {

    @TempDir
    Path directory;

    @Test
    void zookeeper_tlsAndCredentials_holdsALock() throws Exception {
        try (SecureZooKeeper server = SecureZooKeeper.start()) {
            Path trustStorePassword = secret("trust", Certificates.PASSWORD);
            acquires(Connecting.zookeeper(
                    server.uri("shop"), secret("digest", "swordfish"), server.trustStore(), trustStorePassword));
        }
    }

    @Test
    @Tag("etcd")
    void etcd_tlsAndUser_holdsALock() throws Exception {
        try (LocalEtcd server = LocalEtcd.builder().tls().authentication().start()) {
            server.addUser("shop", "swordfish", "/shop/");
            Path authorities = server.certificates().orElseThrow().certificate("server");
            acquires(Connecting.etcd(server.uri("shop"), secret("user", "swordfish"), authorities));
        }
    }

    /** The server's tick is shorter than the store is told, which costs time only. */
    @Test
    void curator_clientThatIsThere_holdsALock() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.start();
                CuratorFramework client = CuratorFrameworkFactory.newClient(
                        server.connectString(), 10_000, 10_000, new RetryOneTime(100))) {
            client.start();
            client.blockUntilConnected();
            acquires(Connecting.curator(client));
        }
    }

    private Path secret(String name, String value) throws IOException {
        return Files.writeString(directory.resolve(name), value);
    }

    private static void acquires(Store store) throws InterruptedException {
        var patient = CoordinatorOptions.builder()
                .connectTimeout(Duration.ofMinutes(1))
                .build();
        try (Coordinator baton = Coordinator.connect(store, patient);
                Hold hold = baton.lock("stock").acquire()) {
            assertThat(hold.remaining()).isGreaterThan(Duration.ZERO);
        }
    }
}
