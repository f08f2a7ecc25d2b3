package io.baton.cli.lock;

import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.server.Certificates;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** The same on etcd. */
@Tag("etcd")
@Tag("long")
class EtcdRefusedStoreIT extends RefusedStoreIT {

    @Override
    Secured start() {
        LocalEtcd server = LocalEtcd.builder().tls().authentication().start();
        server.addUser("cli", Certificates.PASSWORD, "/cli/");
        Path certificates = server.certificates().orElseThrow().directory();
        return new SecuredEtcd(server, certificates.resolve("trusts-server.p12"));
    }

    private record SecuredEtcd(LocalEtcd server, Path trustStore) implements Secured {

        @Override
        public String uri() {
            return server.uri("cli");
        }

        @Override
        public String variables() {
            return "BATON_ETCD_";
        }

        @Override
        public String login() {
            return variables();
        }

        @Override
        public String refusal() {
            return "etcd refuses the user 'cli' or its password";
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
