package io.baton.zookeeper;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Secret;
import io.baton.tck.RoundTripContract;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;

class RoundTripsIT {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Nested
    class InTheClear extends Contract {
        @Override
        Coordinator connectTo(String uri) throws InterruptedException {
            return Coordinator.connect(uri);
        }
    }

    /** What the ACL of a line is has to be read at the join. */
    @Nested
    class WithAnAclToCheck extends Contract {
        @Override
        Coordinator connectTo(String uri) throws InterruptedException {
            ZooKeeperStore.Builder store = ZooKeeperStore.builder(uri).digest("app", Secret.of("secret"));
            return Coordinator.connect(store.build(), CoordinatorOptions.defaults());
        }
    }

    abstract static class Contract extends RoundTripContract {

        abstract Coordinator connectTo(String uri) throws InterruptedException;

        @Override
        protected InetSocketAddress server() {
            return zookeeper.server().address();
        }

        @Override
        protected Coordinator connect() throws InterruptedException {
            return connectTo(zookeeper.uri());
        }

        @Override
        protected Coordinator connect(TcpProxy through) throws InterruptedException {
            return connectTo(zookeeper.server().uri(through, zookeeper.chroot()));
        }

        /** Its join's listing has prepared it. */
        @Override
        protected double handOffBehindOne() {
            return 0.5;
        }

        /** The join, and the watch that finds the entry ahead gone. */
        @Override
        protected double acquireBehindAPlaceThatLingers() {
            return 2;
        }

        /** It has prepared meanwhile. */
        @Override
        protected double handOffBehindTwo() {
            return 0.5;
        }
    }
}
