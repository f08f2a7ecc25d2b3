package io.baton.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.baton.testkit.proxy.Loopback;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server that answers reads by itself, and the requests of watches as the test says. */
public final class HandServer implements AutoCloseable {

    private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    private final Server server;
    private volatile long cluster = 1;
    private volatile Duration slow = Duration.ZERO;
    private volatile Status outcome = Status.OK;

    public HandServer() {
        try {
            server = NettyServerBuilder.forAddress(Loopback.at(0))
                    .addService(new Reads())
                    .addService(new Watches())
                    .build()
                    .start();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    public String uri() {
        return "etcd://127.0.0.1:" + server.getPort() + "/app";
    }

    /** The server takes this long for each read from now on. */
    public void slow(Duration each) {
        slow = each;
    }

    /** How transactions end from now on. */
    public void outcome(Status ofTransactions) {
        outcome = ofTransactions;
    }

    /** The id of the server's cluster from now on. */
    public void cluster(long id) {
        cluster = id;
    }

    /** The next Watch call, once a client has opened it. */
    public Call next() {
        return take(calls);
    }

    /** Whether there is a Watch call that the test has not seen. */
    public boolean hasNext() {
        return !calls.isEmpty();
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private static <T> T take(BlockingQueue<T> queue) {
        try {
            T taken = queue.poll(20, TimeUnit.SECONDS);
            if (taken == null) {
                throw new AssertionError("the client asked for nothing");
            }
            return taken;
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private ResponseHeader header() {
        return ResponseHeader.newBuilder().setClusterId(cluster).setMemberId(1).build();
    }

    private final class Reads extends KVGrpc.KVImplBase {

        @Override
        public void range(RangeRequest request, StreamObserver<RangeResponse> to) {
            later(() -> {
                to.onNext(RangeResponse.newBuilder().setHeader(header()).build());
                to.onCompleted();
            });
        }

        @Override
        public void txn(TxnRequest request, StreamObserver<TxnResponse> to) {
            Status how = outcome;
            later(() -> {
                if (how.isOk()) {
                    to.onNext(TxnResponse.newBuilder().setHeader(header()).build());
                    to.onCompleted();
                } else {
                    to.onError(how.asRuntimeException());
                }
            });
        }

        private void later(Runnable answer) {
            CompletableFuture.delayedExecutor(slow.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(answer);
        }
    }

    private final class Watches extends WatchGrpc.WatchImplBase {
        @Override
        public StreamObserver<WatchRequest> watch(StreamObserver<WatchResponse> to) {
            Call call = new Call(to);
            calls.add(call);
            return call;
        }
    }

    /** One Watch call. */
    public final class Call implements StreamObserver<WatchRequest> {

        private final BlockingQueue<WatchRequest> requests = new LinkedBlockingQueue<>();
        private final StreamObserver<WatchResponse> to;

        private Call(StreamObserver<WatchResponse> to) {
            this.to = to;
        }

        /** The id of the next create request. */
        public long asked() {
            WatchRequest request = take(requests);
            if (!request.hasCreateRequest()) {
                throw new AssertionError("the client asked for " + request);
            }
            return request.getCreateRequest()
                    .getUnknownFields()
                    .getField(7)
                    .getVarintList()
                    .get(0);
        }

        /** The id of the next cancel request. */
        public long cancelled() {
            WatchRequest request = take(requests);
            if (!request.hasCancelRequest()) {
                throw new AssertionError("the client asked for " + request);
            }
            return request.getCancelRequest().getWatchId();
        }

        public void created(long id) {
            to.onNext(response(id).setCreated(true).build());
        }

        public void refuse(long id, String why) {
            to.onNext(response(id)
                    .setCreated(true)
                    .setCanceled(true)
                    .setCancelReason(why)
                    .build());
        }

        public void cancel(long id, String why) {
            to.onNext(response(id).setCanceled(true).setCancelReason(why).build());
        }

        /** Tells that these keys were written, all in this revision; more of it follows, or not. */
        public void events(long id, boolean goesOn, long revision, String... keys) {
            WatchResponse.Builder response = response(id);
            for (String key : keys) {
                response.addEvents(Event.newBuilder()
                        .setKv(KeyValue.newBuilder()
                                .setKey(ByteString.copyFromUtf8(key))
                                .setModRevision(revision)));
            }
            if (goesOn) {
                response.setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                7,
                                UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                        .build());
            }
            to.onNext(response.build());
        }

        public void end() {
            to.onCompleted();
        }

        private WatchResponse.Builder response(long id) {
            return WatchResponse.newBuilder().setHeader(header()).setWatchId(id);
        }

        @Override
        public void onNext(WatchRequest request) {
            requests.add(request);
        }

        @Override
        public void onError(Throwable cancelled) {
            // The client wants no more.
        }

        @Override
        public void onCompleted() {
            to.onCompleted();
        }
    }
}
