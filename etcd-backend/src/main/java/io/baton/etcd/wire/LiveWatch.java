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

    /** The watch ends if the server does not set it within this time. */
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

    /** Requests the watch; once more if it was refused for its token. */
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

    /** Ends the watch without a callback. */
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

    /** The server refuses the watch. If the token may be the reason, it is requested once more with another. */
    void refused(WatchStream by, String reason, long compacted) {
        stream = null;
        if (!retried && streams.anotherHelps(by, reason)) {
            retried = true;
            streams.renewLogin(by, this);
        } else {
            end(ErrorClassifier.cancelled(reason, compacted));
        }
    }

    /** Ends the watch and reports why. */
    void end(Fault why) {
        if (!over) {
            stop();
            to.ended(why);
            connection.onFault(why);
        }
    }

    /** A stream this slow gets no new watches: their answers would come after the missing one. */
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
