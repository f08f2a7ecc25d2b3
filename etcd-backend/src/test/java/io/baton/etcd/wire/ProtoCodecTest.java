package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.etcd.jetcd.api.Compare.CompareResult;
import io.etcd.jetcd.api.Compare.CompareTarget;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeRequest.SortOrder;
import io.etcd.jetcd.api.RangeRequest.SortTarget;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each field of what is asked and answered is where etcd has it. */
class ProtoCodecTest {

    private static final String KEY = "/app/a";
    private static final byte[] VALUE = "välue".getBytes(StandardCharsets.UTF_8);

    @Test
    void txn_conditionsAndBothBranches_areWhereTheyBelong() {
        TxnRequest message = ProtoCodec.txn(new Txn(
                List.of(new Compare.Created(KEY, 7), new Compare.Written("/app/b", 8)),
                List.of(new Put(KEY, VALUE, 77), new Delete("/app/b")),
                List.of(Range.presence("/app/c"))));

        assertThat(message.getCompareList()).hasSize(2).allMatch(each -> each.getResult() == CompareResult.EQUAL);
        assertThat(message.getCompare(0).getTarget()).isEqualTo(CompareTarget.CREATE);
        assertThat(message.getCompare(0).getKey()).isEqualTo(utf8(KEY));
        assertThat(message.getCompare(0).getCreateRevision()).isEqualTo(7);
        assertThat(message.getCompare(1).getTarget()).isEqualTo(CompareTarget.MOD);
        assertThat(message.getCompare(1).getKey()).isEqualTo(utf8("/app/b"));
        assertThat(message.getCompare(1).getModRevision()).isEqualTo(8);
        assertThat(message.getSuccessList()).hasSize(2);
        assertThat(message.getSuccess(0).getRequestPut().getKey()).isEqualTo(utf8(KEY));
        assertThat(message.getSuccess(0).getRequestPut().getValue()).isEqualTo(ByteString.copyFrom(VALUE));
        assertThat(message.getSuccess(0).getRequestPut().getLease()).isEqualTo(77);
        assertThat(message.getSuccess(1).getRequestDeleteRange().getKey()).isEqualTo(utf8("/app/b"));
        assertThat(message.getSuccess(1).getRequestDeleteRange().getRangeEnd()).isEqualTo(ByteString.EMPTY);
        assertThat(message.getFailureList()).hasSize(1);
        assertThat(message.getFailure(0).getRequestRange().getKey()).isEqualTo(utf8("/app/c"));
    }

    @Test
    void result_ofEachKindOfRequest_hasItsPart() {
        KeyValue kv = KeyValue.newBuilder()
                .setKey(utf8(KEY))
                .setValue(ByteString.copyFrom(VALUE))
                .setCreateRevision(7)
                .setModRevision(8)
                .setLease(77)
                .build();
        Result result = ProtoCodec.result(TxnResponse.newBuilder()
                .setHeader(header())
                .setSucceeded(true)
                .addResponses(ResponseOp.newBuilder()
                        .setResponseRange(RangeResponse.newBuilder().addKvs(kv).setCount(5)))
                .addResponses(ResponseOp.newBuilder().setResponsePut(PutResponse.getDefaultInstance()))
                .addResponses(ResponseOp.newBuilder()
                        .setResponseDeleteRange(DeleteRangeResponse.newBuilder().setDeleted(3)))
                .build());

        assertThat(result.header()).isEqualTo(new Header(1, 2, 3, 4));
        assertThat(result.met()).isTrue();
        assertThat(result.parts()).hasSize(3);
        assertThat(result.parts().get(0).count()).isEqualTo(5);
        assertThat(result.parts().get(0).kvs())
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(new Kv(KEY, VALUE, 7, 8, 77));
        assertThat(result.parts().get(1)).isEqualTo(new Part(List.of(), 0));
        assertThat(result.parts().get(2)).isEqualTo(new Part(List.of(), 3));
    }

    @Test
    void result_conditionsNotMet_saysSo() {
        assertThat(ProtoCodec.result(
                                TxnResponse.newBuilder().setHeader(header()).build())
                        .met())
                .isFalse();
    }

    @Test
    void range_everyOption_isAsked() {
        RangeRequest message =
                ProtoCodec.range(new Range(KEY, false, EtcdWire.Order.LAST_CREATED, 10, 20, true, "", 30));

        assertThat(message.getKey()).isEqualTo(utf8(KEY));
        assertThat(message.getRangeEnd()).isEqualTo(ByteString.EMPTY);
        assertThat(message.getLimit()).isEqualTo(10);
        assertThat(message.getMaxCreateRevision()).isEqualTo(20);
        assertThat(message.getRevision()).isEqualTo(30);
        assertThat(message.getKeysOnly()).isFalse();
        assertThat(message.getSortOrder()).isEqualTo(SortOrder.DESCEND);
        assertThat(message.getSortTarget()).isEqualTo(SortTarget.CREATE);
    }

    @Test
    void range_lastWritten_isSortedByThat() {
        RangeRequest message = ProtoCodec.range(Range.lastWritten("/app/"));

        assertThat(message.getSortOrder()).isEqualTo(SortOrder.DESCEND);
        assertThat(message.getSortTarget()).isEqualTo(SortTarget.MOD);
    }

    @Test
    void range_presence_asksForNoValueAndNoOrder() {
        RangeRequest message = ProtoCodec.range(Range.presence(KEY));

        assertThat(message.getKeysOnly()).isTrue();
        assertThat(message.getSortOrder()).isEqualTo(SortOrder.NONE);
        assertThat(message.getSortTarget()).isEqualTo(SortTarget.KEY);
    }

    @Test
    void range_belowAPrefix_endsBeforeTheNextOne() {
        RangeRequest message = ProtoCodec.range(Range.below("/app/"));

        assertThat(message.getKey()).isEqualTo(utf8("/app/"));
        assertThat(message.getRangeEnd()).isEqualTo(utf8("/app0"));
    }

    @Test
    void range_belowNothing_isEveryKey() {
        RangeRequest message = ProtoCodec.range(Range.below(""));

        assertThat(message.getKey()).isEqualTo(ByteString.copyFrom(new byte[] {0}));
        assertThat(message.getRangeEnd()).isEqualTo(ByteString.copyFrom(new byte[] {0}));
    }

    @Test
    void range_emptyKey_isThatKey() {
        assertThat(ProtoCodec.range(Range.key("")).getKey()).isEqualTo(ByteString.EMPTY);
    }

    @Test
    void range_behindAKey_beginsRightAfterIt() {
        RangeRequest message = ProtoCodec.range(Range.below("/app/").page("/app/m", 100, 9));

        assertThat(message.getKey()).isEqualTo(utf8("/app/m\0"));
        assertThat(message.getRangeEnd()).isEqualTo(utf8("/app0"));
        assertThat(message.getLimit()).isEqualTo(100);
        assertThat(message.getRevision()).isEqualTo(9);
    }

    @Test
    void watch_prefix_isWatchedFromTheRevision() {
        WatchCreateRequest message = ProtoCodec.watch(Range.below("/app/"), 12);

        assertThat(message.getKey()).isEqualTo(utf8("/app/"));
        assertThat(message.getRangeEnd()).isEqualTo(utf8("/app0"));
        assertThat(message.getStartRevision()).isEqualTo(12);
        assertThat(message.getFiltersList()).isEmpty();
    }

    @Test
    void watch_withoutValues_isOfDeletionsOnly() {
        assertThat(ProtoCodec.watch(Range.presence(KEY), 0).getFiltersList())
                .containsExactly(WatchCreateRequest.FilterType.NOPUT);
    }

    @Test
    void create_asksForTheIdAndForFragments() {
        WatchRequest message = ProtoCodec.create(ProtoCodec.watch(Range.key(KEY), 12), 5);

        assertThat(message.getCreateRequest().getKey()).isEqualTo(utf8(KEY));
        assertThat(message.getCreateRequest().getStartRevision()).isEqualTo(12);
        UnknownFieldSet newer = message.getCreateRequest().getUnknownFields();
        assertThat(newer.getField(7).getVarintList()).containsExactly(5L);
        assertThat(newer.getField(8).getVarintList()).containsExactly(1L);
    }

    @Test
    void cancel_namesTheWatch() {
        WatchRequest message = ProtoCodec.cancel(5);

        assertThat(message.hasCancelRequest()).isTrue();
        assertThat(message.getCancelRequest().getWatchId()).isEqualTo(5);
    }

    @Test
    void goesOn_fragment_isTold() {
        assertThat(ProtoCodec.goesOn(fragment(1))).isTrue();
        assertThat(ProtoCodec.goesOn(fragment(0))).isFalse();
        assertThat(ProtoCodec.goesOn(WatchResponse.getDefaultInstance())).isFalse();
    }

    @Test
    void event_writtenAndDeleted_areToldApart() {
        KeyValue kv = KeyValue.newBuilder()
                .setKey(utf8(KEY))
                .setValue(ByteString.copyFrom(VALUE))
                .setCreateRevision(7)
                .setModRevision(8)
                .build();
        Event put =
                ProtoCodec.event(io.etcd.jetcd.api.Event.newBuilder().setKv(kv).build());
        Event gone = ProtoCodec.event(io.etcd.jetcd.api.Event.newBuilder()
                .setType(io.etcd.jetcd.api.Event.EventType.DELETE)
                .setKv(kv)
                .build());

        assertThat(put).usingRecursiveComparison().isEqualTo(new Event(KEY, false, VALUE, 7, 8));
        assertThat(gone.deleted()).isTrue();
    }

    @Test
    void header_eachField_isItsOwn() {
        assertThat(ProtoCodec.header(header())).isEqualTo(new Header(1, 2, 3, 4));
    }

    private static ResponseHeader header() {
        return ResponseHeader.newBuilder()
                .setClusterId(1)
                .setMemberId(2)
                .setRevision(3)
                .setRaftTerm(4)
                .build();
    }

    private static WatchResponse fragment(long value) {
        return WatchResponse.newBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                7,
                                UnknownFieldSet.Field.newBuilder()
                                        .addVarint(value)
                                        .build())
                        .build())
                .build();
    }

    private static ByteString utf8(String text) {
        return ByteString.copyFromUtf8(text);
    }
}
