package io.baton.testkit.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.testkit.etcd.EtcdBinaries;
import io.baton.testkit.server.TestServer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Needs an engine for containers, see tools/with-engine, and etcd's program. */
@Tag("containers")
@Tag("etcd")
@Timeout(180)
class StoreExtensionIT {

    /** As on a machine without etcd. */
    @RegisterExtension
    static final StoreExtension store = new StoreExtension(new ServerChoice(
            EtcdBinaries.HOW_TO_GET_ONE,
            () -> false,
            StoreExtensionIT::unexpected,
            StoreExtension::engineAnswers,
            () -> new EtcdContainer(MachineImages.etcd())));

    private static final Set<String> places = new HashSet<>();

    @RepeatedTest(2)
    void store_noneOfThisMachine_isAContainerThatEachTestHasAPlaceOn(TestServer server) throws InterruptedException {
        assertThat(server).isInstanceOf(EtcdContainer.class);
        assertThat(places.add(store.uri())).isTrue();
        try (Coordinator baton = Coordinator.connect(store.uri())) {
            assertThat(baton.records("stock").create("tickets", new byte[] {1})).isTrue();
        }
    }

    @RepeatedTest(2)
    void server_stoppedByATest_servesTheNext(TestServer server) {
        assertThat(((EtcdContainer) server).isRunning()).isTrue();
        server.close();
    }

    private static TestServer unexpected() {
        throw new AssertionError("there is none here");
    }
}
