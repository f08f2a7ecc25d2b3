package io.baton.etcd.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Order;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import java.util.ArrayList;
import java.util.List;

/** Translates the wire's types into etcd's messages and back. */
final class ProtoCodec {

    /** The range from the first key to the last. etcd takes an empty key for no key. */
    private static final ByteString EVERY = ByteString.copyFrom(new byte[] {0});

    // Fields of servers since 3.4, missing in the generated messages. In a request: the id of the watch.
    private static final int WATCH_ID_ASKED = 7;
    // In a request: large responses may be split.
    private static final int FRAGMENT_ASKED = 8;
    // In a response: it continues in the next one.
    private static final int FRAGMENT_TOLD = 7;

    private ProtoCodec() {}

    static TxnRequest txn(Txn txn) {
        TxnRequest.Builder message = TxnRequest.newBuilder();
        txn.ifs().forEach(condition -> message.addCompare(compare(condition)));
        txn.then().forEach(request -> message.addSuccess(request(request)));
        txn.otherwise().forEach(request -> message.addFailure(request(request)));
        return message.build();
    }

    static Result result(TxnResponse message) {
        var parts = new ArrayList<Part>(message.getResponsesCount());
        message.getResponsesList().forEach(response -> parts.add(part(response)));
        return new Result(header(message.getHeader()), message.getSucceeded(), parts);
    }

    static WatchCreateRequest watch(Range range, long from) {
        WatchCreateRequest.Builder watch = WatchCreateRequest.newBuilder()
                .setKey(first(range))
                .setRangeEnd(end(range))
                .setStartRevision(from);
        if (!range.values()) {
            watch.addFilters(WatchCreateRequest.FilterType.NOPUT);
        }
        return watch.build();
    }

    /** A request for a watch with this id. Its large responses are split. */
    static WatchRequest create(WatchCreateRequest watch, long id) {
        UnknownFieldSet newer = UnknownFieldSet.newBuilder()
                .addField(WATCH_ID_ASKED, varint(id))
                .addField(FRAGMENT_ASKED, varint(1))
                .build();
        return WatchRequest.newBuilder()
                .setCreateRequest(watch.toBuilder().setUnknownFields(newer))
                .build();
    }

    /** Ends the watch with this id. */
    static WatchRequest cancel(long id) {
        return WatchRequest.newBuilder()
                .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(id))
                .build();
    }

    private static UnknownFieldSet.Field varint(long value) {
        return UnknownFieldSet.Field.newBuilder().addVarint(value).build();
    }

    /** Whether the next response belongs to this one. */
    static boolean goesOn(WatchResponse message) {
        return message.getUnknownFields()
                .getField(FRAGMENT_TOLD)
                .getVarintList()
                .contains(1L);
    }

    static RangeRequest range(Range range) {
        RangeRequest.Builder message = RangeRequest.newBuilder()
                .setKey(first(range))
                .setRangeEnd(end(range))
                .setLimit(range.limit())
                .setMaxCreateRevision(range.maxCreated())
                .setRevision(range.revision())
                .setKeysOnly(!range.values());
        if (range.order() != Order.KEY) {
            message.setSortOrder(RangeRequest.SortOrder.DESCEND)
                    .setSortTarget(
                            range.order() == Order.LAST_CREATED
                                    ? RangeRequest.SortTarget.CREATE
                                    : RangeRequest.SortTarget.MOD);
        }
        return message.build();
    }

    static Header header(ResponseHeader message) {
        return new Header(message.getClusterId(), message.getMemberId(), message.getRevision(), message.getRaftTerm());
    }

    static Event event(io.etcd.jetcd.api.Event message) {
        KeyValue kv = message.getKv();
        return new Event(
                kv.getKey().toStringUtf8(),
                message.getType() == io.etcd.jetcd.api.Event.EventType.DELETE,
                kv.getValue().toByteArray(),
                kv.getCreateRevision(),
                kv.getModRevision());
    }

    private static io.etcd.jetcd.api.Compare compare(Compare condition) {
        io.etcd.jetcd.api.Compare.Builder message =
                io.etcd.jetcd.api.Compare.newBuilder().setResult(io.etcd.jetcd.api.Compare.CompareResult.EQUAL);
        if (condition instanceof Compare.Created created) {
            return message.setKey(ByteString.copyFromUtf8(created.key()))
                    .setTarget(io.etcd.jetcd.api.Compare.CompareTarget.CREATE)
                    .setCreateRevision(created.revision())
                    .build();
        } else if (condition instanceof Compare.Written written) {
            return message.setKey(ByteString.copyFromUtf8(written.key()))
                    .setTarget(io.etcd.jetcd.api.Compare.CompareTarget.MOD)
                    .setModRevision(written.revision())
                    .build();
        }
        throw new AssertionError(condition);
    }

    private static RequestOp request(Request request) {
        if (request instanceof Put put) {
            return RequestOp.newBuilder()
                    .setRequestPut(PutRequest.newBuilder()
                            .setKey(ByteString.copyFromUtf8(put.key()))
                            .setValue(ByteString.copyFrom(put.value()))
                            .setLease(put.lease() == Put.SAME_LEASE ? 0 : put.lease())
                            .setIgnoreLease(put.lease() == Put.SAME_LEASE))
                    .build();
        } else if (request instanceof Delete delete) {
            return RequestOp.newBuilder()
                    .setRequestDeleteRange(
                            DeleteRangeRequest.newBuilder().setKey(ByteString.copyFromUtf8(delete.key())))
                    .build();
        } else if (request instanceof Range range) {
            return RequestOp.newBuilder().setRequestRange(range(range)).build();
        }
        throw new AssertionError(request);
    }

    private static Part part(ResponseOp message) {
        return switch (message.getResponseCase()) {
            case RESPONSE_RANGE ->
                new Part(
                        message.getResponseRange().getKvsList().stream()
                                .map(ProtoCodec::kv)
                                .toList(),
                        message.getResponseRange().getCount());
            case RESPONSE_DELETE_RANGE ->
                new Part(List.of(), message.getResponseDeleteRange().getDeleted());
            default -> new Part(List.of(), 0);
        };
    }

    private static Kv kv(KeyValue message) {
        return new Kv(
                message.getKey().toStringUtf8(),
                message.getValue().toByteArray(),
                message.getCreateRevision(),
                message.getModRevision(),
                message.getLease());
    }

    private static ByteString first(Range range) {
        if (!range.after().isEmpty()) {
            return ByteString.copyFromUtf8(range.after() + "\0");
        }
        return range.prefix() && range.key().isEmpty() ? EVERY : ByteString.copyFromUtf8(range.key());
    }

    private static ByteString end(Range range) {
        if (!range.prefix()) {
            return ByteString.EMPTY;
        }
        if (range.key().isEmpty()) {
            return EVERY;
        }
        byte[] end = ByteString.copyFromUtf8(range.key()).toByteArray();
        end[end.length - 1]++; // UTF-8 has no byte 0xFF that this would overflow
        return ByteString.copyFrom(end);
    }
}
