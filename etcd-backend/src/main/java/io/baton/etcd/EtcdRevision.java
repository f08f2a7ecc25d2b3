package io.baton.etcd;

import io.baton.Revision;

/** A record's identity: the store's revision of its last write, which no other write of it shares. */
record EtcdRevision(long written) implements Revision {

    @Override
    public long order() {
        return written;
    }

    @Override
    public String toString() {
        return Long.toString(written);
    }
}
