package io.baton.testkit.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.testkit.proxy.Loopback;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EtcdNetworkTest {

    @Test
    void open_oneDoorsPortIsTaken_leavesNothingOpen() throws Exception {
        Map<Integer, EtcdPorts> ports = new TreeMap<>();
        ports.put(1, EtcdPorts.behindADoor());
        ports.put(2, EtcdPorts.behindADoor());
        Set<Thread> threads = threads();
        try (ServerSocket other = new ServerSocket()) {
            other.bind(Loopback.at(ports.get(2).advertised()));

            assertThatThrownBy(() -> new EtcdNetwork(ports, Map::of).close()).isInstanceOf(UncheckedIOException.class);
        }

        assertThat(Loopback.isOpen(ports.get(1).advertised())).isFalse();
        assertThat(threads()).isEqualTo(threads);
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("tcp-proxy-")
                        || thread.getName().startsWith("etcd-door-"))
                .collect(Collectors.toSet());
    }
}
