package io.baton.etcd;

import io.baton.Revision;

/** A record's identity: the store's revision at which it was last written, which no two writes of it share. */
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
