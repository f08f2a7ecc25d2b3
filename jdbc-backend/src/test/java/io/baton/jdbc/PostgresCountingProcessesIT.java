package io.baton.jdbc;

import io.baton.tck.CountingProcessesContract;
import io.baton.testkit.database.PostgresExtension;
import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("postgres")
@Tag("long")
class PostgresCountingProcessesIT extends CountingProcessesContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    @Override
    protected InetSocketAddress server() {
        return Loopback.at(postgres.server().port());
    }

    @Override
    protected String uri() {
        return postgres.server().uri("/counting");
    }

    @Override
    protected String uri(TcpProxy through) {
        return uri().replace(":" + postgres.server().port() + "/", ":" + through.port() + "/");
    }
}
