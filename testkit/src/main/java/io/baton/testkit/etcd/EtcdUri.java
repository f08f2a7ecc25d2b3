package io.baton.testkit.etcd;

/** Formats addresses of etcd servers for {@code Coordinator.connect}. */
public final class EtcdUri {

    private EtcdUri() {}

    /**
     * The address of these servers.
     *
     * @param scheme {@code etcd}, or {@code etcds} for TLS
     * @param hosts each with its port, separated by commas
     * @param root the path below which the client works; empty for none
     */
    public static String of(String scheme, String hosts, String root) {
        String path = root.isEmpty() || root.startsWith("/") ? root : "/" + root;
        return scheme + "://" + hosts + path;
    }
}
