package io.baton.jdbc;

import io.baton.tck.CountingProcessesContract;
import io.baton.testkit.database.MariaDbExtension;
import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("mariadb")
@Tag("long")
class MariaDbCountingProcessesIT extends CountingProcessesContract {

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    @Override
    protected InetSocketAddress server() {
        return Loopback.at(mariadb.server().port());
    }

    @Override
    protected String uri() {
        return mariadb.server().uri("/counting");
    }

    @Override
    protected String uri(TcpProxy through) {
        return uri().replace(":" + mariadb.server().port() + "/", ":" + through.port() + "/");
    }
}
