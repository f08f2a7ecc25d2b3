package io.baton.testkit.etcd;

/** Adds users, and turns authentication on. */
final class EtcdUsers {

    private EtcdUsers() {}

    /**
     * Adds root, who may do anything, and turns authentication on. A client without a user can do nothing from then on.
     */
    static void enable(Etcdctl anonymous) {
        anonymous.run("user", "add", EtcdAccess.ROOT + ":" + EtcdAccess.ROOT_PASSWORD);
        anonymous.run("role", "add", EtcdAccess.ROOT);
        anonymous.run("user", "grant-role", EtcdAccess.ROOT, EtcdAccess.ROOT);
        anonymous.run("auth", "enable");
    }

    /** Adds a user who may read and write the keys with this prefix. */
    static void add(Etcdctl root, String user, String password, String prefix) {
        root.run("user", "add", user + ":" + password);
        root.run("role", "add", user);
        root.run("role", "grant-permission", "--prefix=true", user, "readwrite", prefix);
        root.run("user", "grant-role", user, user);
    }
}
