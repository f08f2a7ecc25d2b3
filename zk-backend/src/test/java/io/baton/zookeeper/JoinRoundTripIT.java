package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.Secret;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JoinRoundTripIT {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Test
    void acquire_farFromTheServer_takesOneRoundTrip() throws Exception {
        measure(builder -> {});
    }

    @Test
    void acquire_farFromTheServerWithAnAclToCheck_takesOneRoundTrip() throws Exception {
        measure(builder -> builder.digest("app", Secret.of("secret")));
    }

    private static void measure(Consumer<ZooKeeperStore.Builder> settings) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(zookeeper.server().address());
                Coordinator baton = connect(zookeeper.server().uri(proxy, zookeeper.chroot()), settings)) {
            baton.lock("near").acquire().close();
            baton.records("tree").put("key", new byte[1]);
            baton.lock("far").acquire().close(); // makes the line's node
            Duration eachWay = Duration.ofMillis(150);
            proxy.delay(eachWay);

            long start = System.nanoTime();
            var unused = baton.records("tree").get("key");
            long oneRoundTrip = System.nanoTime() - start;
            start = System.nanoTime();
            Hold hold = baton.lock("far").acquire();
            long join = System.nanoTime() - start;
            start = System.nanoTime();
            hold.close();
            long release = System.nanoTime() - start;

            assertThat(oneRoundTrip).isGreaterThanOrEqualTo(2 * eachWay.toNanos());
            assertThat((double) join / oneRoundTrip).as("join in round trips").isLessThan(1.7);
            assertThat((double) release / oneRoundTrip)
                    .as("release in round trips")
                    .isLessThan(1.7);
        }
    }

    private static Coordinator connect(String uri, Consumer<ZooKeeperStore.Builder> settings)
            throws InterruptedException {
        ZooKeeperStore.Builder builder = ZooKeeperStore.builder(uri);
        settings.accept(builder);
        return Coordinator.connect(builder.build(), CoordinatorOptions.defaults());
    }
}
