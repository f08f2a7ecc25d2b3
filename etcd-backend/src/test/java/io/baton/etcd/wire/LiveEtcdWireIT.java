package io.baton.etcd.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.etcd.LiveEtcdStore;
import io.baton.etcd.Witness;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.testkit.etcd.LocalEtcd;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The wire and a server that is well. */
@Tag("etcd")
public class LiveEtcdWireIT {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static LocalEtcd server;

    @BeforeAll
    static void start() {
        server = LocalEtcd.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    public static Witness connect(String uri, Duration patience) {
        EtcdAddress address = EtcdAddress.parse(URI.create(uri));
        return new Witness(patience, loop -> LiveEtcdWire.to(address, Settings.NONE, new AtomicLong(), loop))
                .awaitConnected();
    }

    private static Witness connect() {
        return connect(server.uri("app"), PATIENCE);
    }

    private static Result txn(Witness wire, Txn txn) {
        return wire.<Result>ask((now, reply) -> now.txn(txn, reply)).get();
    }

    private static Result put(Witness wire, String key, String value) {
        return txn(wire, new Txn(List.of(), List.of(new Put(key, value.getBytes(UTF_8), 0)), List.of()));
    }

    private static Result delete(Witness wire, String key) {
        return txn(wire, new Txn(List.of(), List.of(new Delete(key)), List.of()));
    }

    @Test
    void txn_conditionsMetOrNot_takesOneBranch() {
        try (Witness wire = connect()) {
            Txn create = new Txn(
                    List.of(new Compare.Created("/app/t/é", 0)),
                    List.of(new Put("/app/t/é", "v".getBytes(UTF_8), 0), Range.key("/app/t/é")),
                    List.of(Range.key("/app/t/é")));
            Result first = txn(wire, create);
            assertThat(first.met()).isTrue();
            assertThat(first.parts()).hasSize(2);
            Kv made = first.parts().get(1).first().orElseThrow();
            assertThat(made.key()).isEqualTo("/app/t/é");
            assertThat(new String(made.value(), UTF_8)).isEqualTo("v");
            assertThat(made.created()).isEqualTo(first.header().revision()).isEqualTo(made.written());
            Result again = txn(wire, create);
            assertThat(again.met()).isFalse();
            assertThat(again.parts().get(0).first().orElseThrow().written()).isEqualTo(made.written());
            Result guarded = txn(
                    wire,
                    new Txn(
                            List.of(new Compare.Written("/app/t/é", made.written())),
                            List.of(new Delete("/app/t/é")),
                            List.of()));
            assertThat(guarded.met()).isTrue();
            assertThat(guarded.parts().get(0).count()).isEqualTo(1);
            assertThat(guarded.header().cluster()).isNotZero();
            assertThat(guarded.header().member()).isNotZero();
            assertThat(guarded.header().term()).isPositive();
        }
    }

    @Test
    void range_newestBelow_isOrderedByCreationAndBounded() {
        try (Witness wire = connect()) {
            long second = 0;
            for (String name : List.of("b", "a", "c")) {
                long revision = put(wire, "/app/r/" + name, name).header().revision();
                second = name.equals("a") ? revision : second;
            }
            put(wire, "/app/r0", "outside");
            put(wire, "/app/r/b", "written again");
            List<Kv> newest = txn(wire, Txn.read(Range.newest("/app/r/", 2, 0)))
                    .parts()
                    .get(0)
                    .kvs();
            assertThat(newest).extracting(Kv::key).containsExactly("/app/r/c", "/app/r/a");
            assertThat(newest.get(0).value()).isEmpty();
            List<Kv> older = txn(wire, Txn.read(Range.newest("/app/r/", 0, second)))
                    .parts()
                    .get(0)
                    .kvs();
            assertThat(older).extracting(Kv::key).containsExactly("/app/r/a", "/app/r/b");
            assertThat(txn(wire, Txn.read(Range.below("/app/r/")))
                            .parts()
                            .get(0)
                            .kvs())
                    .extracting(Kv::key)
                    .containsExactly("/app/r/a", "/app/r/b", "/app/r/c");
            assertThat(txn(wire, Txn.read(Range.below(""))).parts().get(0).count())
                    .isGreaterThanOrEqualTo(4);
        }
    }

    @Test
    void lease_grantedRenewedRevoked_takesItsKeysAlong() {
        try (Witness wire = connect()) {
            Lease lease = wire.<Lease>ask((now, reply) -> now.grant(Duration.ofMillis(8_500), reply))
                    .get();
            assertThat(lease.ttl()).isEqualTo(Duration.ofSeconds(9));
            Txn put = new Txn(List.of(), List.of(new Put("/app/l", new byte[0], lease.id())), List.of());
            txn(wire, put);
            assertThat(txn(wire, Txn.read(Range.presence("/app/l")))
                            .parts()
                            .get(0)
                            .first()
                            .orElseThrow()
                            .lease())
                    .isEqualTo(lease.id());
            Lease renewed = wire.<Lease>ask((now, reply) -> now.keepAlive(lease.id(), reply))
                    .get();
            assertThat(renewed.ttl()).isEqualTo(Duration.ofSeconds(9));
            assertThat(renewed.id()).isEqualTo(lease.id());
            assertThat(wire.<Header>ask((now, reply) -> now.revoke(lease.id(), reply))
                            .fault()
                            .ok())
                    .isTrue();
            assertThat(txn(wire, Txn.read(Range.presence("/app/l")))
                            .parts()
                            .get(0)
                            .kvs())
                    .isEmpty();
            assertThat(wire.<Lease>ask((now, reply) -> now.keepAlive(lease.id(), reply))
                            .get()
                            .ttl())
                    .isZero();
            assertThat(wire.<Header>ask((now, reply) -> now.revoke(lease.id(), reply))
                            .fault()
                            .code())
                    .isEqualTo(Code.NO_LEASE);
            assertThat(wire.<Result>ask((now, reply) -> now.txn(put, reply))
                            .fault()
                            .code())
                    .isEqualTo(Code.NO_LEASE);
        }
    }

    @Test
    void keepAlive_manyAtOnce_areAllAnswered() {
        try (Witness wire = connect()) {
            Lease lease = wire.<Lease>ask((now, reply) -> now.grant(Duration.ofSeconds(9), reply))
                    .get();
            var answers = new ArrayList<CompletableFuture<Witness.Answer<Lease>>>();
            for (int i = 0; i < 50; i++) {
                answers.add(wire.begin((now, reply) -> now.keepAlive(lease.id(), reply)));
            }
            answers.forEach(answer -> assertThat(Witness.get(answer).get().id()).isEqualTo(lease.id()));
        }
    }

    @Test
    void txn_tooLarge_isRefusedAndKnownNotToBeApplied() {
        try (Witness wire = connect()) {
            var many = new ArrayList<Request>();
            for (int i = 0; i < 129; i++) {
                many.add(new Put("/app/many/" + i, new byte[0], 0));
            }
            for (Txn tooLarge : List.of(
                    new Txn(List.of(), many, List.of()),
                    new Txn(List.of(), List.of(new Put("/app/big", new byte[1_800_000], 0)), List.of()),
                    new Txn(List.of(), List.of(new Put("/app/big", new byte[5_000_000], 0)), List.of()))) {
                assertThat(wire.<Result>ask((now, reply) -> now.txn(tooLarge, reply))
                                .fault()
                                .code())
                        .isEqualTo(Code.TOO_LARGE);
            }
            var most = new ArrayList<Request>(many.subList(0, 128));
            assertThat(txn(wire, new Txn(List.of(), most, List.of())).parts()).hasSize(128);
            byte[] value = new byte[LiveEtcdStore.MAX_BYTES];
            txn(wire, new Txn(List.of(), List.of(new Put("/app/big", value, 0)), List.of()));
            assertThat(txn(wire, Txn.read(Range.key("/app/big")))
                            .parts()
                            .get(0)
                            .kvs()
                            .get(0)
                            .value())
                    .hasSize(value.length);
        }
    }

    @Test
    void txn_keyTwice_isRefused() {
        try (Witness wire = connect()) {
            Put put = new Put("/app/twice", new byte[0], 0);
            assertThat(wire.<Result>ask(
                                    (now, reply) -> now.txn(new Txn(List.of(), List.of(put, put), List.of()), reply))
                            .fault()
                            .code())
                    .isEqualTo(Code.REFUSED);
        }
    }

    @Test
    void watch_fromNow_seesWhatHappensAfterCreated() {
        try (Witness wire = connect()) {
            put(wire, "/app/w/a", "before");
            Witness.Seen all = wire.watch(Range.below("/app/w/"), 0);
            Witness.Seen one = wire.watch(Range.presence("/app/w/a"), 0);
            Witness.get(all.created);
            Witness.get(one.created);
            long both = txn(
                            wire,
                            new Txn(
                                    List.of(),
                                    List.of(
                                            new Put("/app/w/a", "1".getBytes(UTF_8), 0),
                                            new Put("/app/w/b", "2".getBytes(UTF_8), 0)),
                                    List.of()))
                    .header()
                    .revision();
            long deleted = delete(wire, "/app/w/a").header().revision();
            await().until(() -> all.events.size() == 3 && one.events.size() == 1);
            assertThat(all.batches.get(0)).extracting(Event::key).containsExactly("/app/w/a", "/app/w/b");
            assertThat(all.batches.get(0)).extracting(Event::revision).containsOnly(both);
            assertThat(new String(all.events.get(1).value(), UTF_8)).isEqualTo("2");
            assertThat(all.events.get(1).created()).isEqualTo(both);
            assertThat(one.events.get(0).deleted())
                    .as("of writes it is not told")
                    .isTrue();
            assertThat(one.events.get(0).revision()).isEqualTo(deleted);
            assertThat(one.events.get(0).value()).isEmpty();
        }
    }

    @Test
    void watch_fromThePast_seesAllSince() {
        try (Witness wire = connect()) {
            long first = put(wire, "/app/p/a", "1").header().revision();
            put(wire, "/app/p/a", "2");
            delete(wire, "/app/p/a");
            Witness.Seen seen = wire.watch(Range.below("/app/p/"), first);
            await().until(() -> seen.events.size() == 3);
            assertThat(seen.created).isDone();
            assertThat(seen.events).extracting(Event::deleted).containsExactly(false, false, true);
        }
    }

    @Test
    void watch_closed_seesNothingMore() {
        try (Witness wire = connect()) {
            Witness.Seen closed = wire.watch(Range.below("/app/c/"), 0);
            Witness.Seen open = wire.watch(Range.below("/app/c/"), 0);
            Witness.get(closed.created);
            Witness.get(open.created);
            wire.on(now -> Witness.get(closed.watch).close());
            put(wire, "/app/c/a", "1");
            await().until(() -> !open.events.isEmpty());
            put(wire, "/app/c/a", "2");
            await().until(() -> open.events.size() == 2);
            assertThat(closed.events).isEmpty();
            assertThat(closed.ended).isNotDone();
        }
    }

    @Test
    void close_requestsUnderWay_tellsNobody() {
        Witness wire = connect();
        Witness.Seen seen = wire.watch(Range.below("/app/e/"), 0);
        Witness.get(seen.created);
        var answer = new CompletableFuture<Result>();
        var behind = new CompletableFuture<Boolean>();
        wire.on(now -> {
            now.txn(Txn.read(Range.key("/app/e")), (fault, value) -> answer.complete(value));
            now.close();
            now.txn(Txn.read(Range.key("/app/e")), (fault, value) -> answer.complete(value));
        });
        wire.on(now -> behind.complete(true));
        Witness.get(behind);
        wire.close();
        await().during(Duration.ofMillis(300)).until(() -> !answer.isDone() && !seen.ended.isDone());
        assertThat(wire.told).containsExactly("connected");
    }
}
