package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdAddress.Host;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MembersOrderTest {

    /** Where one member follows the other for all clients, the last of three to restart has nobody, and one has all. */
    @Test
    void inSomeOrder_threeMembers_haveEachOrderSomeClients() {
        List<Host> hosts = EtcdAddress.parse(URI.create("etcd://a,b,c")).hosts();
        SplittableRandom seeds = new SplittableRandom(1);
        Set<List<Host>> orders = new HashSet<>();
        for (int client = 0; client < 200; client++) {
            List<Host> order = LiveEtcdWire.inSomeOrder(hosts, seeds.nextLong());
            assertThat(order).containsExactlyInAnyOrderElementsOf(hosts);
            orders.add(order);
        }

        assertThat(orders).hasSize(6);
    }
}
