package io.baton.testkit.etcd;

import com.google.protobuf.InvalidProtocolBufferException;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One call of a gRPC method; names its messages. */
final class EtcdCall {

    private interface Named {
        String of(byte[] message) throws InvalidProtocolBufferException;
    }

    private static final String TXN = "KV/Txn";
    private static final String WATCH = "Watch/Watch";
    private static final Set<String> STREAMS =
            Set.of(WATCH, "Lease/LeaseKeepAlive", "Maintenance/Snapshot", "Election/Observe");

    private final String method;
    private final boolean streams;
    private final GrpcMessages requests = new GrpcMessages();
    private final GrpcMessages answers = new GrpcMessages();
    private String asked;

    /** A call of the method of this path, such as {@code /etcdserverpb.KV/Txn}. */
    EtcdCall(String path) {
        method = path.substring(path.lastIndexOf('.') + 1);
        streams = STREAMS.contains(method);
        asked = method;
    }

    /**
     * Returns the name of the request that these bytes complete. A unary request is complete when nothing can follow.
     */
    String request(ByteBuffer bytes, boolean last) {
        List<byte[]> messages = requests.add(bytes);
        if (streams) {
            return names(messages, this::requestName);
        }
        messages.forEach(message -> asked = requestName(message));
        return last ? asked : "";
    }

    /** Returns the name of the answer that these bytes complete. A unary answer is incomplete without its trailers. */
    String answer(ByteBuffer bytes) {
        return streams ? names(answers.add(bytes), this::answerName) : "";
    }

    /** Returns what the trailers complete: an answer, a refusal, or the end of the call. */
    String trailers() {
        return asked;
    }

    private static String names(List<byte[]> messages, Function<byte[], String> name) {
        return messages.stream().map(name).distinct().collect(Collectors.joining("+"));
    }

    private String name(byte[] message, Named named) {
        try {
            return named.of(message);
        } catch (InvalidProtocolBufferException unknown) {
            return method;
        }
    }

    private String requestName(byte[] message) {
        return name(message, bytes -> switch (method) {
            case TXN ->
                TxnRequest.parseFrom(bytes).getSuccessList().stream()
                        .map(EtcdCall::kind)
                        .distinct()
                        .collect(Collectors.joining(", ", "txn(", ")"));
            case WATCH -> "watch(" + kind(WatchRequest.parseFrom(bytes)) + ")";
            default -> method;
        });
    }

    private String answerName(byte[] message) {
        return name(
                message,
                bytes -> method.equals(WATCH) ? "watch(" + kind(WatchResponse.parseFrom(bytes)) + ")" : method);
    }

    private static String kind(RequestOp op) {
        return switch (op.getRequestCase()) {
            case REQUEST_RANGE -> "read";
            case REQUEST_PUT -> "put";
            case REQUEST_DELETE_RANGE -> "delete";
            case REQUEST_TXN -> "txn";
            case REQUEST_NOT_SET -> "nothing";
        };
    }

    private static String kind(WatchRequest request) {
        String name = request.getRequestUnionCase().name();
        return name.replace("_REQUEST", "").toLowerCase(Locale.ROOT);
    }

    private static String kind(WatchResponse response) {
        if (response.getCanceled()) {
            return "canceled";
        }
        if (response.getCreated()) {
            return "created";
        }
        return response.getEventsCount() > 0 ? "events" : "progress";
    }
}
