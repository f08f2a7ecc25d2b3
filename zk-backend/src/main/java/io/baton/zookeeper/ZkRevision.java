package io.baton.zookeeper;

import io.baton.Revision;
import io.baton.zookeeper.wire.ZkWire;
import org.jspecify.annotations.Nullable;

/**
 * A record's identity: the transactions that created it and last wrote it. A multi can compare only versions, which
 * repeat when a node is deleted and recreated. So it also compares the version of the tree's root, which rises with
 * every deletion by Baton. Deletions by other programs do not raise it.
 */
final class ZkRevision implements Revision {

    private final long czxid;
    private final long mzxid;
    private final int version;
    private final int rootVersion;

    /** The root must be read before the record, or a deletion in between would be missed. */
    ZkRevision(ZkWire.Node node, int rootVersion) {
        this(node.czxid(), node.mzxid(), node.version(), rootVersion);
    }

    private ZkRevision(long czxid, long mzxid, int version, int rootVersion) {
        this.czxid = czxid;
        this.mzxid = mzxid;
        this.version = version;
        this.rootVersion = rootVersion;
    }

    /** Returns the revision after this transaction, which found this one and the root's version, and overwrote it. */
    ZkRevision overwritten(long zxid) {
        return new ZkRevision(czxid, zxid, version + 1, rootVersion);
    }

    @Override
    public long order() {
        return mzxid;
    }

    int version() {
        return version;
    }

    int rootVersion() {
        return rootVersion;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ZkRevision that && czxid == that.czxid && mzxid == that.mzxid;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(mzxid);
    }

    @Override
    public String toString() {
        return "0x" + Long.toHexString(czxid) + ".0x" + Long.toHexString(mzxid);
    }
}
