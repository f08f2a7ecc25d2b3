package io.baton.testkit.zookeeper;

import java.time.Duration;

/** How the addresses of our servers are written for {@code Coordinator.connect}. */
final class ZkUri {

    private ZkUri() {}

    static String of(String hosts, String chroot, Duration tick) {
        String path = chroot.isEmpty() || chroot.startsWith("/") ? chroot : "/" + chroot;
        return "zk://" + hosts + path + "?tick=" + tick.toMillis() + "ms";
    }
}
