package io.baton.etcd.wire;

import io.baton.spi.Loop;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request and its single answer, within a time limit. Streaming methods can be called, too.
 *
 * <p>The loop keeps the time limit. It bounds the answer whether the server, the network or the library is slow.
 */
final class Call<Q, R> extends ClientCall.Listener<R> {

    /** Called once with the result. The answer is non-null if and only if the status is OK. */
    interface Done<R> {
        void accept(Status status, @Nullable R answer);
    }

    private final Connection connection;
    private final ClientCall<Q, R> call;
    private final Done<R> done;
    private final Loop.Timer limit;
    private boolean over;

    // Used by the library's thread for this call.
    private @Nullable R answer;

    Call(Connection connection, MethodDescriptor<Q, R> method, Duration within, Done<R> done) {
        this.connection = connection;
        this.done = done;
        this.call = connection.channel().newCall(method, CallOptions.DEFAULT);
        this.limit = connection.loop().after(within, () -> late(within));
    }

    void send(Q request, Metadata headers) {
        call.start(this, headers);
        call.request(2);
        call.sendMessage(request);
        call.halfClose();
    }

    @Override
    public void onMessage(R message) {
        answer = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        R got = answer;
        Status how =
                status.isOk() && got == null ? Status.INTERNAL.withDescription("an answer without content") : status;
        connection.deliver(() -> end(how, how.isOk() ? got : null));
    }

    /** Ends the call. Later answers of the server are ignored. */
    void abandon(Status why) {
        call.cancel(why.getDescription(), null);
        end(why, null);
    }

    /** Ends the call without calling {@code done}. */
    void close() {
        over = true;
        limit.cancel();
        connection.ended(this);
    }

    private void late(Duration within) {
        abandon(Status.DEADLINE_EXCEEDED.withDescription(
                "no answer from " + connection.host() + " within " + within.toMillis() + " ms"));
    }

    private void end(Status status, @Nullable R got) {
        if (!over) {
            over = true;
            limit.cancel();
            connection.ended(this);
            done.accept(status, got);
        }
    }
}
