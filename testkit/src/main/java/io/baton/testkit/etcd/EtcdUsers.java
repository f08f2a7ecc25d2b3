package io.baton.testkit.etcd;

/** Makes users, and lets nobody in without. */
final class EtcdUsers {

    private EtcdUsers() {}

    /** Makes root, who may do anything; from then on whoever names no user may do nothing. */
    static void enable(Etcdctl anonymous) {
        anonymous.run("user", "add", EtcdAccess.ROOT + ":" + EtcdAccess.ROOT_PASSWORD);
        anonymous.run("role", "add", EtcdAccess.ROOT);
        anonymous.run("user", "grant-role", EtcdAccess.ROOT, EtcdAccess.ROOT);
        anonymous.run("auth", "enable");
    }

    /** Makes a user who may read and write the keys that begin so. */
    static void add(Etcdctl root, String user, String password, String prefix) {
        root.run("user", "add", user + ":" + password);
        root.run("role", "add", user);
        root.run("role", "grant-permission", "--prefix=true", user, "readwrite", prefix);
        root.run("user", "grant-role", user, user);
    }
}
