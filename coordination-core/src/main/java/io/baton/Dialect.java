package io.baton;

import java.util.Locale;

/**
 * How the entries of a line are named: the names that a client writes, and the only ones of others that it understands. A
 * line has one dialect; an entry of another one makes joining fail, because its owner would not respect ours.
 *
 * <p>For {@link Coordinator#lockAt} and for elections at a path, to share them with clients that do not use Baton. Each
 * store declares the dialects that it has besides its own, such as those of Curator and kazoo in {@code ZooKeeperDialects},
 * and refuses all others.
 *
 * @param name in lower case, as the command takes it
 */
public record Dialect(String name) {

    /**
     * The store's own. On ZooKeeper the same names as Curator's {@code InterProcessMutex}. On etcd an entry may have any
     * name below the lock's path, and the order is that of creation, as for {@code etcdctl lock} and the locks of etcd's
     * client libraries: both sides exclude each other, and all are granted in the order of their entries. To compare their
     * fencing tokens with Baton's, take the revision that created their entry, not {@code ETCD_LOCK_REV}, which after a
     * wait is a later one.
     */
    public static final Dialect BATON = new Dialect("baton");

    /**
     * A dialect of this name.
     *
     * @throws IllegalArgumentException if the name is empty or not in lower case
     */
    public Dialect {
        if (name.isBlank() || !name.equals(name.strip().toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("the name of a dialect is in lower case, not '" + name + "'");
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
