package io.baton.zookeeper;

import io.baton.testkit.server.Certificates;
import io.baton.testkit.tck.ShortContract;
import io.baton.testkit.tck.StoreUnderTest;
import io.baton.testkit.zookeeper.SecureZooKeeper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract over TLS, with credentials. */
class SecureZooKeeperContractIT extends ShortContract {

    @TempDir
    static Path directory;

    private static final AtomicInteger tests = new AtomicInteger();

    private static SecureZooKeeper server;
    private static Path config;

    @BeforeAll
    static void start() throws Exception {
        server = SecureZooKeeper.start();
        config = Files.writeString(
                directory.resolve("zk.properties"),
                "truststore=" + server.trustStore() + "\ntruststore.password=" + Certificates.PASSWORD
                        + "\ndigest.user=tck\ndigest.password=" + Certificates.PASSWORD);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected StoreUnderTest store() {
        return new SecureZooKeeperUnderTest(server, config, "tck-" + tests.incrementAndGet());
    }
}
