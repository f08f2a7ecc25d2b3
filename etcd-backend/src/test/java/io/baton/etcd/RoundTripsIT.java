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

    /** The line is followed for it. */
    @Override
    protected double handOffBehindOne() {
        return 0.5;
    }

    /** The event, and the answer that nobody else stands ahead: a downgrade need not be followed. */
    @Override
    protected double handOffFromAWriterToReaders() {
        return 1.5;
    }

    /** The join, the watch, and the read once that is set: a watch from an earlier revision would be served late. */
    @Override
    protected double acquireBehindAPlaceThatLingers() {
        return 3;
    }

    /** The line is followed for it. */
    @Override
    protected double handOffBehindTwo() {
        return 0.5;
    }
}
