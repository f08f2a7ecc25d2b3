package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Result;

/**
 * What a place needs to know of its line, read in the transaction that removed the own entry ahead of it: a hand-off
 * within one session is one request.
 *
 * @param of the place that it was read for
 * @param result the session's own key, the place's entry, and the nearest ahead
 * @param stream the stream of the line's events that was open when it was asked for
 */
record LineRead(LinePlace of, Result result, long stream) {

    /** The reads behind a removal, which is the first part. */
    static LineRead behindRemoval(LinePlace of, Result whole, long stream) {
        var parts = whole.parts().subList(1, whole.parts().size());
        return new LineRead(of, new Result(whole.header(), true, parts), stream);
    }
}
