package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.spi.Loop;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchResponse;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One watch, on a stream that it shares with others. */
final class LiveWatch implements EtcdWire.Watch {

    private final Connection connection;
    private final WatchStreams streams;
    private final WatchCreateRequest request;
    private final Duration within;
    private final EtcdWire.Watcher to;
    private final Loop.Timer limit;
    private final WatchResponseAssembler fragments = new WatchResponseAssembler();
    private @Nullable WatchStream stream;
    private long id;
    private boolean created;
    private boolean retried;
    private boolean over;

    /** If the server does not watch within this time, the watch ends. */
    LiveWatch(
            Connection connection,
            WatchStreams streams,
            WatchCreateRequest request,
            Duration within,
            EtcdWire.Watcher to) {
        this.connection = connection;
        this.streams = streams;
        this.request = request;
        this.within = within;
        this.to = to;
        this.limit = connection.loop().after(within, this::late);
    }

    /** Asks the server for the watch; once more after it was refused for its token. */
    void start() {
        if (!over) {
            WatchStream taking = streams.open(this);
            stream = taking;
            id = taking.create(this);
        }
    }

    WatchCreateRequest request() {
        return request;
    }

    Duration within() {
        return within;
    }

    boolean isCreated() {
        return created;
    }

    /** Ends it, and tells nobody. */
    @Override
    public void close() {
        if (!over) {
            stop();
        }
    }

    void created(WatchResponse message) {
        created = true;
        limit.cancel();
        to.created(ProtoCodec.header(message.getHeader()));
    }

    void events(WatchResponse message) {
        List<Event> whole = fragments.add(
                message.getEventsList().stream().map(ProtoCodec::event).toList(), ProtoCodec.goesOn(message));
        if (!whole.isEmpty()) {
            to.events(whole, ProtoCodec.header(message.getHeader()));
        }
    }

    /** The server refuses to watch; if the token may be the reason, the watch is asked for once more with another. */
    void refused(WatchStream by, String reason, long compacted) {
        stream = null;
        if (!retried && streams.anotherHelps(by, reason)) {
            retried = true;
            streams.renewLogin(by, this);
        } else {
            end(ErrorClassifier.cancelled(reason, compacted));
        }
    }

    /** Ends it, and tells why. */
    void end(Fault why) {
        if (!over) {
            stop();
            to.ended(why);
            connection.onFault(why);
        }
    }

    /** A stream that is this slow gets no new watches: their answers would come after the one that is missing. */
    private void late() {
        if (stream != null) {
            streams.retire(stream);
        }
        end(new Fault(Code.LOST, "no watch at " + connection.host() + " within " + within.toMillis() + " ms"));
    }

    private void stop() {
        over = true;
        limit.cancel();
        streams.ended(this);
        if (stream != null) {
            stream.remove(id);
        }
    }
}
