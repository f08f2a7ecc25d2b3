package io.baton.testkit.zookeeper;

import java.time.Duration;

/** Formats addresses of ZooKeeper servers for {@code Coordinator.connect}. */
public final class ZkUri {

    private ZkUri() {}

    /**
     * The address of these servers.
     *
     * @param hosts each with its port, separated by commas
     * @param chroot the path below which the client works; empty for none
     * @param tick the servers' {@code tickTime}
     */
    public static String of(String hosts, String chroot, Duration tick) {
        String path = chroot.isEmpty() || chroot.startsWith("/") ? chroot : "/" + chroot;
        return "zk://" + hosts + path + "?tick=" + tick.toMillis() + "ms";
    }
}
