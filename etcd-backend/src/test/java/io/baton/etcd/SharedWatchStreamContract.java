package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Secret;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.etcd.wire.LiveEtcdWire;
import io.baton.etcd.wire.LiveEtcdWireIT;
import io.baton.etcd.wire.Login;
import io.baton.etcd.wire.Settings;
import io.baton.testkit.etcd.LocalEtcd;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many watches of one connection, on servers that allow few streams. */
@Tag("etcd")
@Timeout(180)
abstract class SharedWatchStreamContract {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String STREAMS = "100";

    /** Of the version to test with. */
    abstract LocalEtcd.Builder builder();

    private LocalEtcd start() {
        return builder().flag("--max-concurrent-streams", STREAMS).start();
    }

    private static Witness connect(LocalEtcd server) {
        return LiveEtcdWireIT.connect(server.uri("app"), PATIENCE);
    }

    private static Witness connect(LocalEtcd server, String user, String password) {
        EtcdAddress address = EtcdAddress.parse(URI.create(server.uri("app")));
        var settings = new Settings(Optional.of(new Login.User(user, Secret.of(password))), Optional.empty());
        return new Witness(PATIENCE, loop -> LiveEtcdWire.to(address, settings, new AtomicLong(), loop))
                .awaitConnected();
    }

    private static CompletableFuture<Witness.Answer<Result>> put(Witness wire, String key) {
        Txn put = new Txn(List.of(), List.of(new Put(key, "v".getBytes(UTF_8), 0)), List.of());
        return wire.begin((now, reply) -> now.txn(put, reply));
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }

    @Test
    void watch_fiveHundred_leaveTheStreamsToRequestsAndEachSeesItsOwn() {
        try (LocalEtcd server = start();
                Witness wire = connect(server)) {
            var all = new ArrayList<Witness.Seen>();
            for (int i = 0; i < 500; i++) {
                all.add(wire.watch(Range.key("/app/w/" + i), 0));
            }
            all.forEach(seen -> Witness.get(seen.created));
            assertThat(server.watches()).isEqualTo(500);
            assertThat(server.watchStreams()).isEqualTo(1);

            var answers = new ArrayList<CompletableFuture<Witness.Answer<Result>>>();
            for (int i = 0; i < 500; i++) {
                answers.add(put(wire, "/app/w/" + i));
            }
            answers.forEach(
                    answer -> assertThat(Witness.get(answer).fault().code()).isEqualTo(Code.OK));
            soon().until(() -> all.stream().noneMatch(seen -> seen.events.isEmpty()));
            for (int i = 0; i < 500; i++) {
                assertThat(all.get(i).events).extracting(Event::key).containsExactly("/app/w/" + i);
            }

            wire.on(now -> all.forEach(seen -> Witness.get(seen.watch).close()));
            soon().until(() -> server.watches() == 0 && server.watchStreams() == 0);
        }
    }

    @Test
    void watch_closedBeforeCreated_leavesNoWatchAndHarmsNoOther() {
        try (LocalEtcd server = start();
                Witness wire = connect(server)) {
            Witness.Seen kept = wire.watch(Range.below("/app/"), 0);
            var closed = new ArrayList<Witness.Seen>();
            for (int i = 0; i < 200; i++) {
                closed.add(wire.watch(Range.below("/app/"), 0));
            }
            Witness.Seen last = wire.watch(Range.below("/app/"), 0);
            wire.on(now -> closed.forEach(seen -> Witness.get(seen.watch).close()));
            Witness.get(kept.created);
            Witness.get(last.created);
            soon().until(() -> server.watches() == 2);

            put(wire, "/app/a");

            soon().until(() -> !kept.events.isEmpty() && !last.events.isEmpty());
            assertThat(closed).allMatch(seen -> seen.events.isEmpty() && !seen.ended.isDone());
        }
    }

    @Test
    void watch_refusedAmongOthers_endsAlone() {
        try (LocalEtcd server = builder().authentication().start()) {
            server.addUser("app", "swordfish", "/app/");
            try (Witness wire = connect(server, "app", "swordfish")) {
                Witness.Seen first = wire.watch(Range.key("/elsewhere/a"), 0);
                Witness.Seen good = wire.watch(Range.key("/app/a"), 0);
                Witness.Seen second = wire.watch(Range.key("/elsewhere/b"), 0);
                Witness.Seen another = wire.watch(Range.key("/app/b"), 0);

                assertThat(Witness.get(first.ended).code()).isEqualTo(Code.DENIED);
                assertThat(Witness.get(second.ended).code()).isEqualTo(Code.DENIED);
                Witness.get(good.created);
                Witness.get(another.created);
                put(wire, "/app/a");
                put(wire, "/app/b");
                soon().until(() -> !good.events.isEmpty() && !another.events.isEmpty());
                assertThat(good.events).extracting(Event::key).containsExactly("/app/a");
                assertThat(another.events).extracting(Event::key).containsExactly("/app/b");
                assertThat(server.watchStreams()).isEqualTo(1);
            }
        }
    }

    @Test
    @Tag("long")
    void watch_tokenForgotten_newOnesHaveAnotherStreamAndOlderOnesGoOn() {
        try (LocalEtcd server = builder().authentication().start()) {
            server.addUser("app", "swordfish", "/app/");
            try (Witness wire = connect(server, "app", "swordfish")) {
                var all = new ArrayList<Witness.Seen>();
                for (int i = 0; i < 3; i++) {
                    for (int n = 0; n < 20; n++) {
                        all.add(wire.watch(Range.below("/app/"), 0));
                    }
                    soon().until(() -> all.stream().allMatch(seen -> seen.created.isDone() || seen.ended.isDone()));
                    assertThat(all)
                            .extracting(seen -> seen.ended.getNow(Fault.NONE))
                            .containsOnly(Fault.NONE);
                    assertThat(server.watchStreams()).isEqualTo(i + 1);
                    forgetTokens(server);
                }

                put(wire, "/app/a");

                soon().until(() -> all.stream().noneMatch(seen -> seen.events.isEmpty()));
                assertThat(all).noneMatch(seen -> seen.ended.isDone());
                // However often that happens, the streams are few: the watches of the oldest end, and would resume.
                for (int i = 0; i < 6; i++) {
                    forgetTokens(server);
                    Witness.get(wire.watch(Range.below("/app/"), 0).created);
                }
                soon().until(() -> server.watchStreams() <= 5);
                assertThat(Witness.get(all.get(0).ended).code()).isEqualTo(Code.LOST);
                assertThat(wire.told).noneMatch(what -> what.startsWith("disconnected"));
            }
        }
    }

    /** The server forgets the tokens of a user who is deleted. */
    private static void forgetTokens(LocalEtcd server) {
        server.ctl().run("user", "delete", "app");
        server.ctl().run("user", "add", "app:swordfish");
        server.ctl().run("user", "grant-role", "app", "app");
    }

    @Test
    void watch_compactedAmongOthers_endsAlone() {
        try (LocalEtcd server = start();
                Witness wire = connect(server)) {
            for (int i = 0; i < 3; i++) {
                Witness.get(put(wire, "/app/a"));
            }
            server.compact();
            Witness.Seen good = wire.watch(Range.below("/app/"), 0);
            Witness.Seen compacted = wire.watch(Range.below("/app/"), 1);
            Witness.Seen another = wire.watch(Range.below("/app/"), 0);
            assertThat(Witness.get(compacted.ended).code()).isEqualTo(Code.COMPACTED);
            Witness.get(another.created);

            put(wire, "/app/a");

            soon().until(() -> !good.events.isEmpty() && !another.events.isEmpty());
            soon().until(() -> server.watches() == 2);
        }
    }

    /** Without shared streams the waits take all there are: requests wait for one, and the hold is lost. */
    @Test
    void hold_besideManyWaitsOfTheSameClient_staysHeld() throws Exception {
        var options = CoordinatorOptions.builder().ttl(Duration.ofSeconds(20)).build();
        try (LocalEtcd server = start();
                Coordinator other = Coordinator.connect(server.uri("app"), options);
                Coordinator baton = Coordinator.connect(server.uri("app"), options);
                Hold hold = baton.lock("unrelated").acquire()) {
            List<HoldState> states = new CopyOnWriteArrayList<>();
            hold.onState(states::add);
            var ahead = new ArrayList<Hold>();
            var waits = new ArrayList<CompletableFuture<Hold>>();
            for (int i = 0; i < 120; i++) {
                ahead.add(other.lock("lock" + i).acquire());
                waits.add(baton.lock("lock" + i).acquireAsync());
            }
            // Those on which the waits rest, and each session's own.
            soon().until(() -> server.watches() == 122);
            long beats = server.requests("Lease/LeaseKeepAlive");
            soon().until(() -> server.requests("Lease/LeaseKeepAlive") >= beats + 4);

            ahead.forEach(Hold::close);

            for (CompletableFuture<Hold> wait : waits) {
                Witness.get(wait).close();
            }
            assertThat(states).containsOnly(HoldState.HELD);
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }
}
