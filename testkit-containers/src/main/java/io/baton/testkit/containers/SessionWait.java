package io.baton.testkit.containers;

import static org.awaitility.Awaitility.await;

import io.baton.testkit.zookeeper.SessionProbe;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/**
 * Waits until a session can be opened. The engine accepts connections to a published port before the server does, and
 * the server's log depends on its settings.
 */
final class SessionWait extends AbstractWaitStrategy {

    private static final int PATIENCE_MILLIS = 500;

    @Override
    protected void waitUntilReady() {
        var server = new InetSocketAddress(
                waitStrategyTarget.getHost(), waitStrategyTarget.getMappedPort(ZooKeeperContainer.PORT));
        await("a session at " + server)
                .atMost(startupTimeout)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> SessionProbe.serves(server, PATIENCE_MILLIS));
    }
}
