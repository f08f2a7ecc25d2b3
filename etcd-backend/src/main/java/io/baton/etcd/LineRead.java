package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Result;

/**
 * The reads that a place needs of its line, made in the transaction that removed the own entry ahead of it. So a
 * hand-off within one session takes one request.
 *
 * @param of the place they were made for
 * @param result the session's own key, the place's entry, and the nearest entries ahead
 * @param stream the stream of the line's events that was open when they were sent
 */
record LineRead(LinePlace of, Result result, long stream) {

    /** Extracts the reads from the transaction's result. The removal is its first part. */
    static LineRead behindRemoval(LinePlace of, Result whole, long stream) {
        var parts = whole.parts().subList(1, whole.parts().size());
        return new LineRead(of, new Result(whole.header(), true, parts), stream);
    }
}
