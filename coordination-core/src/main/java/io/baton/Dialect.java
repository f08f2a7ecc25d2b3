package io.baton;

import java.util.Locale;

/**
 * The naming of a line's entries: the names that a client writes, and the only ones of other clients that it
 * understands. A line has one dialect. Joining fails if the line has an entry of another dialect, as its owner would
 * not respect ours.
 *
 * <p>Dialects serve {@link Coordinator#lockAt} and elections at a path, which may be shared with clients that do not
 * use Baton. Each store declares the dialects that it supports besides its own, and refuses all others.
 * {@code ZooKeeperDialects} has those of Curator and kazoo.
 *
 * @param name in lower case, as the command takes it
 */
public record Dialect(String name) {

    /**
     * The store's own dialect.
     *
     * <p>On ZooKeeper it has the names of Curator's {@code InterProcessMutex}. On etcd an entry may have any name below
     * the lock's path, and entries are ordered by creation. {@code etcdctl lock} and the locks of etcd's client
     * libraries do the same: both sides exclude each other, and all are granted in the order of their entries. To
     * compare their fencing tokens with Baton's, take the revision that created their entry. {@code ETCD_LOCK_REV} is a
     * later one after a wait.
     */
    public static final Dialect BATON = new Dialect("baton");

    /**
     * Creates a dialect.
     *
     * @throws IllegalArgumentException if the name is blank or not in lower case
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
