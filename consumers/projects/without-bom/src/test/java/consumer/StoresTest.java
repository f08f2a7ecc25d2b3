package consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.netty.util.Version;
import java.time.Duration;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both stores in one process, on what Maven finds for them by itself. */
class StoresTest {

    /** On a busy machine, the classes of a store take a while. */
    private static final CoordinatorOptions PATIENT =
            CoordinatorOptions.builder().connectTimeout(Duration.ofMinutes(1)).build();

    @ParameterizedTest
    @ValueSource(strings = {"ZOOKEEPER_STORE", "ETCD_STORE"})
    void lock_onARealStore_isHeld(String store) throws Exception {
        try (Coordinator baton = Coordinator.connect(System.getenv(store), PATIENT);
                Hold hold = baton.lock("orders").acquire()) {
            assertFalse(hold.remaining().isZero());
        }
    }

    @Test
    void netty_everyJar_isOfOneVersion() {
        var versions = new TreeSet<String>();
        Version.identify().values().forEach(jar -> versions.add(jar.artifactVersion()));
        assertEquals(1, versions.size(), versions.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.grpc.internal.GrpcUtil", "io.grpc.util.MultiChildLoadBalancer", "io.grpc.protobuf.ProtoUtils"})
    void grpc_everyJar_isOfOneVersion(String type) throws Exception {
        assertEquals(version(Class.forName("io.grpc.netty.NettyChannelBuilder")), version(Class.forName(type)));
    }

    @Test
    void logger_isTheApplicationsChoice() {
        assertThrows(ClassNotFoundException.class, () -> Class.forName("ch.qos.logback.classic.Logger"));
    }

    /** The version that ends the name of the jar that has this type. */
    private static String version(Class<?> type) {
        String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
        return jar.replaceAll(".*-([^-]+)[.]jar", "$1");
    }
}
