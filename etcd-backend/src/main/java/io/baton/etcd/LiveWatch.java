package io.baton.etcd;

import io.baton.etcd.EtcdWire.Code;
import io.baton.etcd.EtcdWire.Event;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One watch on a stream of its own, so that what befalls it befalls no other. */
final class LiveWatch implements EtcdWire.Watch {

    /** So many responses may be under way before the loop has looked at the first of them. */
    private static final int AHEAD = 4;

    private final Connection connection;
    private final WatchRequest request;
    private final Duration within;
    private final EtcdWire.Watcher to;
    private final Loop.Timer limit;
    private final Fragments fragments = new Fragments();
    private @Nullable Stream stream;
    private boolean created;
    private boolean loggedIn;
    private boolean over;

    /** If the server does not watch within this time, it ends. */
    LiveWatch(Connection connection, WatchRequest request, Duration within, EtcdWire.Watcher to) {
        this.connection = connection;
        this.request = request;
        this.within = within;
        this.to = to;
        this.limit = connection
                .loop()
                .after(
                        within,
                        () -> end(lost("no watch at " + connection.host() + " within " + within.toMillis() + " ms")));
    }

    void start() {
        stream = new Stream();
        stream.start();
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
            cancelled(message);
        } else if (message.getCreated() && created) {
            end(lost("the server began the watch anew"));
        } else if (message.getCreated()) {
            created = true;
            limit.cancel();
            to.created(Messages.header(message.getHeader()));
        } else {
            List<Event> whole = fragments.add(
                    message.getEventsList().stream().map(Messages::event).toList(), Messages.goesOn(message));
            if (!whole.isEmpty()) {
                to.events(whole, Messages.header(message.getHeader()));
            }
        }
    }

    private void cancelled(WatchResponse message) {
        String reason = message.getCancelReason();
        if (!created && !loggedIn && connection.login().helps(reason) && stream != null) {
            loggedIn = true;
            Stream refused = stream;
            stream = null;
            refused.stop();
            connection.login().renew(refused.token, connection, within, status -> {
                if (!over) {
                    start();
                }
            });
        } else {
            end(Faults.cancelled(reason, message.getCompactRevision()));
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
        limit.cancel();
        connection.ended(this);
        if (stream != null) {
            stream.stop();
        }
    }

    private static Fault lost(String why) {
        return new Fault(Code.LOST, why);
    }

    /** The server's side of it; another one after the first was refused for its token. */
    private final class Stream extends ClientCall.Listener<WatchResponse> {

        private final @Nullable String token = connection.login().token();
        private final ClientCall<WatchRequest, WatchResponse> call =
                connection.channel().newCall(WatchGrpc.getWatchMethod(), CallOptions.DEFAULT);

        void start() {
            call.start(this, connection.headers());
            call.request(AHEAD);
            call.sendMessage(request); // the stream stays open: its end is the watch's
        }

        void stop() {
            call.cancel("not wanted any more", null);
        }

        @Override
        public void onMessage(WatchResponse message) {
            connection.deliver(() -> {
                if (!over && stream == this) {
                    heard(message);
                    call.request(1);
                }
            });
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            Fault fault = Faults.of(status);
            connection.deliver(() -> {
                if (stream == this) {
                    end(fault.ok() ? lost("the server ended the watch") : fault);
                }
            });
        }
    }
}
