package io.baton.zookeeper;

import io.baton.tck.CountingProcessesContract;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("long")
class CountingProcessesIT extends CountingProcessesContract {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Override
    protected InetSocketAddress server() {
        return zookeeper.server().address();
    }

    @Override
    protected String uri() {
        return zookeeper.uri();
    }

    @Override
    protected String uri(TcpProxy through) {
        return zookeeper.server().uri(through, zookeeper.chroot());
    }
}
