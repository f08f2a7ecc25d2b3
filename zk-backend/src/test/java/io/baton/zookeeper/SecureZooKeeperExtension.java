package io.baton.zookeeper;

import io.baton.testkit.server.Certificates;
import io.baton.testkit.zookeeper.SecureZooKeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Gives the tests of a class a ZooKeeper with TLS, and a settings file with the trust store and credentials. */
final class SecureZooKeeperExtension implements BeforeAllCallback, AfterAllCallback {

    private SecureZooKeeper server;
    private Path settings;
    private int users;

    SecureZooKeeper server() {
        return server;
    }

    Path settings() {
        return settings;
    }

    @Override
    public synchronized void beforeAll(ExtensionContext context) throws IOException {
        if (users++ > 0) {
            return;
        }
        server = SecureZooKeeper.start();
        settings = Files.writeString(
                server.trustStore().resolveSibling("zk.properties"),
                "truststore=" + server.trustStore() + "\ntruststore.password=" + Certificates.PASSWORD
                        + "\ndigest.user=tck\ndigest.password=" + Certificates.PASSWORD);
    }

    @Override
    public synchronized void afterAll(ExtensionContext context) {
        if (--users == 0) {
            server.close();
        }
    }
}
