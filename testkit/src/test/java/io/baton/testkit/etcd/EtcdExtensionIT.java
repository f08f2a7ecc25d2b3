package io.baton.testkit.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("etcd")
@Timeout(60)
class EtcdExtensionIT {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    private static final Set<String> roots = new HashSet<>();
    private static final Set<Integer> ports = new HashSet<>();

    @RepeatedTest(2)
    void uri_eachTest_hasARootOfItsOwnOnTheSameServer(LocalEtcd server) {
        roots.add(etcd.root());
        ports.add(server.port());

        assertThat(ports).hasSize(1);
        assertThat(etcd.uri()).isEqualTo(server.uri(etcd.root()));
        assertThat(server.version()).isEqualTo(EtcdBinaries.newest().version());
    }

    @RepeatedTest(2)
    void server_killedOrFrozenByATest_servesTheNext(LocalEtcd server) {
        assertThat(server.keys("")).isEmpty();
        server.freeze();
        server.kill();
    }

    @RepeatedTest(2)
    void server_frozenByATest_servesTheNext(LocalEtcd server) {
        assertThat(server.keys("")).isEmpty();
        server.freeze();
    }

    @Nested
    class OnTheOldest {

        @RegisterExtension
        static final EtcdExtension oldest = EtcdExtension.oldest();

        @Test
        void server_isOlder() {
            assertThat(oldest.server().version()).isLessThan(etcd.server().version());
        }
    }
}
