package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.spi.support.RunAll;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One Watch call to the server, shared by many watches.
 *
 * <p>The server handles the requests of a call in order and answers each create request exactly once. So a create
 * request is matched with its answer by order: the answer to a refused one has no usable watch id. All other responses
 * are matched by watch id.
 *
 * <p>The client chooses the ids. They start at 1 and are used once per call, so late events of a closed watch find no
 * watch. The server must not choose them: before 3.4.22 and 3.5.6 it silences the watch with the id 0 when it refuses
 * another one.
 */
final class WatchStream extends ClientCall.Listener<WatchResponse> {

    /**
     * The number of responses in flight before the loop has processed the first. The server queues the events of all
     * watches of a call together, up to 128 responses, and falls back to a slower path beyond that.
     */
    private static final int AHEAD = 16;

    private final Connection connection;
    private final WatchStreams streams;
    private final @Nullable String token;
    private final ClientCall<WatchRequest, WatchResponse> call;
    private final Map<Long, LiveWatch> watches = new LinkedHashMap<>();

    /** The ids of the unanswered create requests, oldest first. Their watches may have been closed. */
    private final Deque<Long> unanswered = new ArrayDeque<>();

    private long lastId;
    private boolean over;

    WatchStream(Connection connection, WatchStreams streams) {
        this.connection = connection;
        this.streams = streams;
        this.token = connection.login().token();
        this.call = connection.channel().newCall(WatchGrpc.getWatchMethod(), CallOptions.DEFAULT);
    }

    void start() {
        call.start(this, connection.headers());
        call.request(AHEAD);
    }

    /** The token that the call was opened with; the server checks it again for each create request. */
    @Nullable
    String token() {
        return token;
    }

    /** Sends the watch's create request, and returns the id of the watch on this stream. */
    long create(LiveWatch watch) {
        long id = ++lastId;
        watches.put(id, watch);
        unanswered.add(id);
        call.sendMessage(ProtoCodec.create(watch.request(), id));
        return id;
    }

    /** Removes a watch from the server without a callback. A stream without watches ends. */
    void remove(long id) {
        if (watches.remove(id) == null || over) {
            return;
        }
        if (watches.isEmpty()) {
            stop();
        } else {
            // The server handles this after the create request, so there is no need to wait for the answer to that.
            call.sendMessage(ProtoCodec.cancel(id));
        }
    }

    /** Ends the stream and all its watches. */
    void end(Fault why) {
        if (!over) {
            stop();
            endAll(why);
        }
    }

    /** Ends the stream without callbacks to its watches. */
    void stop() {
        over = true;
        call.cancel("not wanted any more", null);
        streams.ended(this);
    }

    @Override
    public void onMessage(WatchResponse message) {
        connection.deliver(() -> {
            if (!over) {
                try {
                    received(message);
                } finally {
                    call.request(1);
                }
            }
        });
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        Fault fault = ErrorClassifier.of(status);
        connection.deliver(() -> {
            if (!over) {
                over = true;
                streams.ended(this);
                endAll(fault.ok() ? lost("the server ended the watches") : fault);
            }
        });
    }

    private void received(WatchResponse message) {
        if (message.getCreated() && message.getCanceled()) {
            refused(message);
        } else if (message.getCreated()) {
            created(message);
        } else if (message.getCanceled()) {
            cancelled(message);
        } else {
            LiveWatch watch = watches.get(message.getWatchId());
            if (watch != null) {
                watch.events(message);
            }
        }
    }

    private void created(WatchResponse message) {
        long id = message.getWatchId();
        Long asked = unanswered.peek();
        LiveWatch watch = watches.get(id);
        if (asked != null && asked == id) {
            unanswered.remove();
            if (watch != null) {
                watch.created(message);
            }
        } else if (watch != null && watch.isCreated()) {
            watch.end(lost("the server began the watch anew"));
        } else {
            // A proxy in between keeps neither the order nor the ids, so events cannot be matched.
            end(new Fault(Code.REFUSED, connection.host() + " confuses watches, as etcd's gRPC proxy does"));
        }
    }

    private void refused(WatchResponse message) {
        Long asked = unanswered.poll();
        if (asked == null) {
            end(lost("the server refused a watch that was not asked for"));
            return;
        }
        LiveWatch watch = watches.remove(asked);
        if (watch != null) {
            if (watches.isEmpty()) {
                stop();
            }
            watch.refused(this, message.getCancelReason(), message.getCompactRevision());
        }
    }

    private void cancelled(WatchResponse message) {
        LiveWatch watch = watches.get(message.getWatchId());
        if (watch != null) {
            // Ending it sends a cancel request: the server keeps a compacted watch until then.
            watch.end(ErrorClassifier.cancelled(message.getCancelReason(), message.getCompactRevision()));
        }
    }

    private void endAll(Fault why) {
        RunAll.each(watches.values(), watch -> watch.end(why));
    }

    private static Fault lost(String why) {
        return new Fault(Code.LOST, why);
    }
}
