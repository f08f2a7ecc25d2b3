package io.baton.etcd;

import io.baton.tck.CountingProcessesContract;
import io.baton.testkit.etcd.EtcdExtension;
import io.baton.testkit.proxy.TcpProxy;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("etcd")
@Tag("long")
class CountingProcessesIT extends CountingProcessesContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Override
    protected InetSocketAddress server() {
        return etcd.server().address();
    }

    @Override
    protected String uri() {
        return etcd.uri();
    }

    @Override
    protected String uri(TcpProxy through) {
        return etcd.server().uri(through, etcd.root());
    }
}
