package io.baton.testkit.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Fault;
import io.baton.testkit.proxy.Moment;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.proxy.Trigger;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchProgressRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("etcd")
@Timeout(60)
class EtcdFramingIT {

    private static final ByteString A = ByteString.copyFromUtf8("a");

    private final LocalEtcd etcd = LocalEtcd.start();
    private final TcpProxy proxy = TcpProxy.to(etcd.address(), new EtcdFraming());
    private final Map<Direction, List<String>> seen = new ConcurrentHashMap<>();
    private final ManagedChannel channel = NettyChannelBuilder.forAddress(proxy.address())
            .usePlaintext()
            .disableRetry()
            .build();
    private final KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(channel);
    private final LeaseGrpc.LeaseBlockingStub lease = LeaseGrpc.newBlockingStub(channel);

    EtcdFramingIT() {
        for (Direction direction : Direction.values()) {
            seen.put(direction, new CopyOnWriteArrayList<>());
            note(direction);
        }
    }

    @AfterEach
    void close() throws Exception {
        channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        proxy.close();
        etcd.close();
    }

    @Test
    void name_unaryCalls_eachOnceEachWay() {
        var id = lease.leaseGrant(LeaseGrantRequest.newBuilder().setTTL(60).build())
                .getID();
        kv.txn(txn(put()));
        kv.txn(txn(put(), read(), read()));
        kv.txn(txn(read()));
        kv.txn(txn());
        kv.txn(txn(delete(), put()));
        kv.range(RangeRequest.newBuilder().setKey(A).build());
        lease.leaseRevoke(LeaseRevokeRequest.newBuilder().setID(id).build());

        String[] names = {
            "Lease/LeaseGrant",
            "txn(put)",
            "txn(put, read)",
            "txn(read)",
            "txn()",
            "txn(delete, put)",
            "KV/Range",
            "Lease/LeaseRevoke"
        };
        assertThat(seen(Direction.TO_SERVER)).containsExactly(names);
        assertThat(seen(Direction.TO_CLIENT)).containsExactly(names);
        assertThat(seen.get(Direction.TO_SERVER)).contains(EtcdFraming.NOISE);
    }

    @Test
    void name_callThatIsRefused_answerHasItsName() {
        var none = LeaseRevokeRequest.newBuilder().setID(1).build();

        assertThatThrownBy(() -> lease.leaseRevoke(none)).isInstanceOf(StatusRuntimeException.class);

        assertThat(seen(Direction.TO_CLIENT)).containsExactly("Lease/LeaseRevoke");
    }

    @Test
    void name_largerThanAFrame_isOneMessageEachWay() {
        ByteString large = ByteString.copyFrom(new byte[100_000]);
        kv.put(PutRequest.newBuilder().setKey(A).setValue(large).build());
        kv.range(RangeRequest.newBuilder().setKey(A).build());

        assertThat(seen(Direction.TO_SERVER)).containsExactly("KV/Put", "KV/Range");
        assertThat(seen(Direction.TO_CLIENT)).containsExactly("KV/Put", "KV/Range");
    }

    @Test
    void name_streams_eachMessage() throws Exception {
        var watched = new Answers<WatchResponse>();
        StreamObserver<WatchRequest> watch = WatchGrpc.newStub(channel).watch(watched);
        var renewed = new Answers<LeaseKeepAliveResponse>();
        StreamObserver<LeaseKeepAliveRequest> renew = LeaseGrpc.newStub(channel).leaseKeepAlive(renewed);

        watch.onNext(WatchRequest.newBuilder()
                .setCreateRequest(WatchCreateRequest.newBuilder().setKey(A))
                .build());
        long id = watched.next().getWatchId();
        etcd.ctl().run("put", "a", "1");
        watched.next();
        watch.onNext(WatchRequest.newBuilder()
                .setProgressRequest(WatchProgressRequest.newBuilder())
                .build());
        watched.next();
        watch.onNext(WatchRequest.newBuilder()
                .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(id))
                .build());
        watched.next();
        renew.onNext(LeaseKeepAliveRequest.newBuilder().setID(1).build());
        renewed.next();
        renew.onNext(LeaseKeepAliveRequest.newBuilder().setID(1).build());
        renewed.next();

        assertThat(seen(Direction.TO_SERVER))
                .containsExactly(
                        "watch(create)",
                        "watch(progress)",
                        "watch(cancel)",
                        "Lease/LeaseKeepAlive",
                        "Lease/LeaseKeepAlive");
        assertThat(seen(Direction.TO_CLIENT))
                .containsExactly(
                        "watch(created)",
                        "watch(events)",
                        "watch(progress)",
                        "watch(canceled)",
                        "Lease/LeaseKeepAlive",
                        "Lease/LeaseKeepAlive");
    }

    @Test
    void cut_beforeTheAnswer_isAppliedAndNotTold() {
        Trigger cut = proxy.faults().at(Direction.TO_CLIENT, 1, "txn(put)"::equals, Moment.BEFORE, Fault.cut());

        assertThatThrownBy(() -> kv.txn(txn(put()))).isInstanceOf(StatusRuntimeException.class);

        await().until(cut::fired);
        assertThat(etcd.keys("")).containsExactly("a");
    }

    @Test
    void end_afterTheAnswer_isTold() {
        // On a connection that is new the client may still be writing when it ends, and then does not read any more.
        kv.txn(txn(read()));
        Trigger end = proxy.faults().at(Direction.TO_CLIENT, 1, "txn(put)"::equals, Moment.AFTER, Fault.end());

        assertThat(kv.txn(txn(put())).getSucceeded()).isTrue();

        await().until(end::fired);
    }

    @Test
    void cut_beforeTheRequest_isNotApplied() {
        Trigger cut = proxy.faults().at(Direction.TO_SERVER, 1, "txn(put)"::equals, Moment.BEFORE, Fault.cut());

        assertThatThrownBy(() -> kv.txn(txn(put()))).isInstanceOf(StatusRuntimeException.class);

        await().until(cut::fired);
        assertThat(etcd.keys("")).isEmpty();
        kv.txn(txn(read())); // on another connection, whose headers are compressed anew
        assertThat(seen(Direction.TO_SERVER)).containsExactly("txn(put)", "txn(read)");
    }

    /** Whether it is applied is not certain: the server gives up what it works at when its client goes. */
    @Test
    void end_afterTheRequest_isNotTold() {
        Trigger end = proxy.faults().at(Direction.TO_SERVER, 1, "txn(put)"::equals, Moment.AFTER, Fault.end());

        assertThatThrownBy(() -> kv.txn(txn(put()))).isInstanceOf(StatusRuntimeException.class);

        await().until(end::fired);
        assertThat(kv.txn(txn(read())).getSucceeded()).isTrue();
    }

    @Test
    void length_notHttp2_passesUnnamed() throws Exception {
        kv.range(RangeRequest.newBuilder().setKey(A).build());
        var connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + proxy.port() + "/version")
                .toURL()
                .openConnection();
        connection.setReadTimeout(10_000);

        assertThat(new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains(etcd.version().toString());
        assertThat(seen(Direction.TO_SERVER)).containsExactly("KV/Range");
    }

    private List<String> seen(Direction direction) {
        return seen.get(direction).stream()
                .filter(name -> !name.equals(EtcdFraming.NOISE))
                .toList();
    }

    private void note(Direction direction) {
        proxy.faults()
                .at(
                        direction,
                        1,
                        name -> {
                            seen.get(direction).add(name);
                            return false;
                        },
                        Moment.BEFORE,
                        Fault.cut());
    }

    private static TxnRequest txn(RequestOp... then) {
        return TxnRequest.newBuilder().addAllSuccess(List.of(then)).build();
    }

    private static RequestOp put() {
        return RequestOp.newBuilder()
                .setRequestPut(PutRequest.newBuilder().setKey(A).setValue(A))
                .build();
    }

    private static RequestOp read() {
        return RequestOp.newBuilder()
                .setRequestRange(RangeRequest.newBuilder().setKey(A))
                .build();
    }

    private static RequestOp delete() {
        return RequestOp.newBuilder()
                .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(ByteString.copyFromUtf8("b")))
                .build();
    }

    private static final class Answers<T> implements StreamObserver<T> {

        private final BlockingQueue<T> queue = new LinkedBlockingQueue<>();

        @Override
        public void onNext(T answer) {
            queue.add(answer);
        }

        @Override
        public void onError(Throwable broken) {
            queue.clear();
        }

        @Override
        public void onCompleted() {
            queue.clear();
        }

        T next() throws InterruptedException {
            T answer = queue.poll(20, TimeUnit.SECONDS);
            assertThat(answer).as("an answer on the stream").isNotNull();
            return answer;
        }
    }
}
