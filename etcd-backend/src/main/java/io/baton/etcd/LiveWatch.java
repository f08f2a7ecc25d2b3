package io.baton.etcd;

import io.baton.etcd.EtcdWire.Code;
import io.baton.etcd.EtcdWire.Fault;
import io.baton.spi.Loop;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One watch on a stream of its own, so that what befalls it befalls no other. */
final class LiveWatch extends ClientCall.Listener<WatchResponse> implements EtcdWire.Watch {

    /** So many responses may be under way before the loop has looked at the first of them. */
    private static final int AHEAD = 4;

    private final Connection connection;
    private final EtcdWire.Watcher to;
    private final ClientCall<WatchRequest, WatchResponse> call;
    private Loop.@Nullable Timer limit;
    private boolean created;
    private boolean over;

    LiveWatch(Connection connection, EtcdWire.Watcher to) {
        this.connection = connection;
        this.to = to;
        this.call = connection.channel().newCall(WatchGrpc.getWatchMethod(), CallOptions.DEFAULT);
    }

    /** Begins; if the server does not watch within this time, it ends. */
    void start(WatchRequest request, Metadata headers, Duration within) {
        limit = connection
                .loop()
                .after(
                        within,
                        () -> end(lost("no watch at " + connection.host() + " within " + within.toMillis() + " ms")));
        call.start(this, headers);
        call.request(AHEAD);
        call.sendMessage(request); // the stream stays open: its end is the watch's
    }

    @Override
    public void onMessage(WatchResponse message) {
        connection.deliver(() -> {
            if (!over) {
                heard(message);
                call.request(1);
            }
        });
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        Fault fault = Faults.of(status, false);
        connection.deliver(() -> end(fault.ok() ? lost("the server ended the watch") : fault));
    }

    /** Ends it, and tells nobody. */
    @Override
    public void close() {
        if (!over) {
            stop();
        }
    }

    /** Ends it, as there is no contact any more. */
    void abandon(String why) {
        end(lost(why));
    }

    private void heard(WatchResponse message) {
        if (message.getCanceled()) {
            end(Faults.cancelled(message.getCancelReason(), message.getCompactRevision()));
        } else if (message.getCreated() && created) {
            end(lost("the server began the watch anew"));
        } else if (message.getCreated()) {
            created = true;
            stopTimer();
            to.created(Messages.header(message.getHeader()));
        } else if (message.getEventsCount() > 0) {
            to.events(
                    message.getEventsList().stream().map(Messages::event).toList(),
                    Messages.header(message.getHeader()));
        }
    }

    private void end(Fault why) {
        if (!over) {
            stop();
            to.ended(why);
            connection.heard(why);
        }
    }

    private void stop() {
        over = true;
        stopTimer();
        connection.ended(this);
        call.cancel("not wanted any more", null);
    }

    private void stopTimer() {
        if (limit != null) {
            limit.cancel();
        }
    }

    private static Fault lost(String why) {
        return new Fault(Code.LOST, why);
    }
}
