package io.baton.testkit.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Needs an engine for containers, see tools/with-engine, and etcd's program. */
@Tag("containers")
@Tag("etcd")
@Timeout(180)
class EtcdContainerIT {

    private static final byte[] ONE = {1};

    @Test
    void uri_ofAStartedContainer_isOneThatBatonConnectsTo() throws InterruptedException {
        try (EtcdContainer etcd = new EtcdContainer(MachineImages.etcd())) {
            etcd.start();
            try (Coordinator baton = Coordinator.connect(etcd.uri("shop"));
                    Hold hold = baton.lock("stock").acquire()) {
                assertThat(hold.token()).isPositive();
            }
        }
    }

    @Test
    void withElectionTimeout_short_letsTheTtlBeShort() throws InterruptedException {
        CoordinatorOptions second =
                CoordinatorOptions.builder().ttl(Duration.ofSeconds(1)).build();
        try (EtcdContainer usual = new EtcdContainer(MachineImages.etcd());
                EtcdContainer quick =
                        new EtcdContainer(MachineImages.etcd()).withElectionTimeout(Duration.ofMillis(500))) {
            usual.start();
            quick.start();
            try (Coordinator raised = Coordinator.connect(usual.uri(), second);
                    Coordinator asAsked = Coordinator.connect(quick.uri(), second)) {
                assertThat(raised.ttl()).isEqualTo(Duration.ofSeconds(2));
                assertThat(asAsked.ttl()).isEqualTo(Duration.ofSeconds(1));
            }
        }
    }

    @Test
    void serve_killed_servesAnEmptyStore() throws InterruptedException {
        try (EtcdContainer etcd = new EtcdContainer(MachineImages.etcd())) {
            etcd.serve();
            try (Coordinator baton = Coordinator.connect(etcd.uri())) {
                baton.records("stock").put("tickets", ONE);
            }
            etcd.getDockerClient().killContainerCmd(etcd.getContainerId()).exec();
            await().until(() -> !etcd.isRunning());
            etcd.serve();
            try (Coordinator baton = Coordinator.connect(etcd.uri())) {
                assertThat(baton.records("stock").get("tickets")).isEmpty();
            }
        }
    }
}
