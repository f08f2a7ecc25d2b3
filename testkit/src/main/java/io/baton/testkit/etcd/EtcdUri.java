package io.baton.testkit.etcd;

/** How the addresses of our servers are written for {@code Coordinator.connect}. */
final class EtcdUri {

    private EtcdUri() {}

    static String of(String scheme, String hosts, String root) {
        String path = root.isEmpty() || root.startsWith("/") ? root : "/" + root;
        return scheme + "://" + hosts + path;
    }
}
