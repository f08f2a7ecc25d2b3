package io.baton.etcd;

import io.baton.Coordinator;
import io.baton.tck.RoundTripContract;
import io.baton.testkit.etcd.EtcdExtension;
import io.baton.testkit.proxy.TcpProxy;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("etcd")
class RoundTripsIT extends RoundTripContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Override
    protected InetSocketAddress server() {
        return etcd.server().address();
    }

    @Override
    protected Coordinator connect() throws InterruptedException {
        return Coordinator.connect(etcd.uri());
    }

    @Override
    protected Coordinator connect(TcpProxy through) throws InterruptedException {
        return Coordinator.connect(etcd.server().uri(through, etcd.root()));
    }

    /** The event, and the answer that nobody else stands ahead. */
    @Override
    protected double handOffBehindTwo() {
        return 1.5;
    }
}
