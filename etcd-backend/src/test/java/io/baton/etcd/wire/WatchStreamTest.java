package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.etcd.HandServer;
import io.baton.etcd.Witness;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Range;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Watches that share a stream, and servers that answer as none does, or as some do rarely. */
@Timeout(60)
class WatchStreamTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final HandServer server = new HandServer();
    private Witness wire = open(LONG);

    private Witness open(Duration patience) {
        EtcdAddress address = EtcdAddress.parse(URI.create(server.uri()));
        return new Witness(patience, loop -> LiveEtcdWire.to(address, Settings.NONE, new AtomicLong(), loop))
                .awaitConnected();
    }

    @AfterEach
    void close() {
        wire.close();
        server.close();
    }

    private Witness.Seen watch(String key) {
        return wire.watch(Range.key(key), 0);
    }

    @Test
    void watch_many_shareAStream() {
        var one = watch("/app/a");
        var other = watch("/app/b");
        HandServer.Call call = server.next();
        long first = call.asked();
        long second = call.asked();
        call.created(first);
        call.created(second);
        Witness.get(one.created);
        Witness.get(other.created);

        call.events(second, false, 2, "/app/b");
        call.events(first, false, 3, "/app/a");

        await().until(() -> !one.events.isEmpty() && !other.events.isEmpty());
        assertThat(one.events).extracting(Event::key).containsExactly("/app/a");
        assertThat(other.events).extracting(Event::key).containsExactly("/app/b");
        assertThat(server.hasNext()).isFalse();
    }

    @Test
    void refused_withoutAnIdOrWithAnyId_endsTheOneWhoseTurnItWas() {
        for (long id : new long[] {-1, 0}) {
            var before = watch("/app/a");
            var refused = watch("/elsewhere");
            var after = watch("/app/b");
            HandServer.Call call = server.next();
            call.created(call.asked());
            call.asked();
            call.refuse(id, "rpc error: code = PermissionDenied desc = etcdserver: permission denied");
            call.created(call.asked());

            assertThat(Witness.get(refused.ended).code()).isEqualTo(Code.DENIED);
            Witness.get(before.created);
            Witness.get(after.created);
            assertThat(before.ended).isNotDone();
            assertThat(after.ended).isNotDone();
            wire.close();
            wire = open(LONG);
        }
    }

    @Test
    void cancelled_byTheServer_endsThatOneOnly() {
        var one = watch("/app/a");
        var other = watch("/app/b");
        HandServer.Call call = server.next();
        long first = call.asked();
        long second = call.asked();
        call.created(first);
        call.created(second);

        call.cancel(first, "a test");

        assertThat(Witness.get(one.ended).code()).isEqualTo(Code.LOST);
        call.events(second, false, 2, "/app/b");
        await().until(() -> !other.events.isEmpty());
        assertThat(other.ended).isNotDone();
    }

    @Test
    void created_aSecondTime_endsThatWatchOnly() {
        var one = watch("/app/a");
        var other = watch("/app/b");
        HandServer.Call call = server.next();
        long first = call.asked();
        long second = call.asked();
        call.created(first);
        call.created(first);

        assertThat(Witness.get(one.ended).message()).contains("anew");
        assertThat(call.cancelled()).isEqualTo(first);
        call.created(second);
        Witness.get(other.created);
        assertThat(other.ended).isNotDone();
    }

    @Test
    void created_outOfOrderOrUnderAnotherId_endsAllAsTheyCannotBeToldApart() {
        for (long wrong : new long[] {2, 0}) {
            var one = watch("/app/a");
            var other = watch("/app/b");
            HandServer.Call call = server.next();
            assertThat(call.asked()).isEqualTo(1);
            assertThat(call.asked()).isEqualTo(2);

            call.created(wrong);

            assertThat(Witness.get(one.ended).code()).isEqualTo(Code.REFUSED);
            assertThat(Witness.get(other.ended).code()).isEqualTo(Code.REFUSED);
            assertThat(one.created).isNotDone();
            assertThat(other.created).isNotDone();
        }
        assertThat(wire.told).noneMatch(what -> what.startsWith("disconnected"));
    }

    @Test
    void events_largeOnesOfTwoWatchesInTurns_arePutTogetherForEach() {
        var one = watch("/app/a");
        var other = watch("/app/b");
        HandServer.Call call = server.next();
        long first = call.asked();
        long second = call.asked();
        call.created(first);
        call.created(second);

        call.events(first, true, 2, "/app/a1");
        call.events(second, true, 2, "/app/b1");
        call.events(first, false, 2, "/app/a2");
        call.events(second, false, 2, "/app/b2");

        await().until(() -> !one.batches.isEmpty() && !other.batches.isEmpty());
        assertThat(one.batches.get(0)).extracting(Event::key).containsExactly("/app/a1", "/app/a2");
        assertThat(other.batches.get(0)).extracting(Event::key).containsExactly("/app/b1", "/app/b2");
    }

    @Test
    void close_beforeCreated_isCancelledAndNeitherCreatedNorEventsAreTold() {
        var kept = watch("/app/a");
        var closed = watch("/app/b");
        HandServer.Call call = server.next();
        long first = call.asked();
        long second = call.asked();
        wire.on(now -> Witness.get(closed.watch).close());
        assertThat(call.cancelled()).isEqualTo(second);
        call.created(first);
        call.created(second);
        call.events(second, false, 2, "/app/b");
        call.cancel(second, "");
        call.events(first, false, 3, "/app/a");

        await().until(() -> !kept.events.isEmpty());
        assertThat(closed.created).isNotDone();
        assertThat(closed.events).isEmpty();
        assertThat(closed.ended).isNotDone();
    }

    @Test
    void stream_ended_endsAllItsWatchesAndTheNextHasAnother() {
        var created = watch("/app/a");
        var asked = watch("/app/b");
        HandServer.Call call = server.next();
        call.created(call.asked());
        call.asked();
        Witness.get(created.created);

        call.end();

        assertThat(Witness.get(created.ended).code()).isEqualTo(Code.LOST);
        assertThat(Witness.get(asked.ended).code()).isEqualTo(Code.LOST);
        var again = watch("/app/a");
        HandServer.Call another = server.next();
        another.created(another.asked());
        Witness.get(again.created);
        assertThat(wire.told).noneMatch(what -> what.startsWith("disconnected"));
    }

    @Test
    void watch_notCreatedInTime_endsAloneAndTheNextHasAnotherStream() {
        wire.close();
        wire = open(Duration.ofSeconds(2)); // a busy machine has to create the first one in this time
        var created = watch("/app/a");
        HandServer.Call call = server.next();
        long first = call.asked();
        call.created(first);
        Witness.get(created.created);

        var late = watch("/app/b");
        long second = call.asked();

        assertThat(Witness.get(late.ended).code()).isEqualTo(Code.LOST);
        assertThat(call.cancelled()).isEqualTo(second);
        assertThat(created.ended).isNotDone();
        var next = watch("/app/b");
        HandServer.Call another = server.next();
        another.created(another.asked());
        Witness.get(next.created);
        call.events(first, false, 2, "/app/a");
        await().until(() -> !created.events.isEmpty());
        assertThat(created.ended).isNotDone();
    }

    @Test
    void watch_streamsThatDoNotAnswerAgainAndAgain_areBounded() {
        wire.close();
        wire = open(Duration.ofSeconds(1));
        Witness.Seen oldest = null;
        for (int i = 0; i < 6; i++) {
            var created = watch("/app/a");
            oldest = oldest == null ? created : oldest;
            HandServer.Call call = server.next();
            call.created(call.asked());
            Witness.get(created.created);
            assertThat(Witness.get(watch("/app/b").ended).code()).isEqualTo(Code.LOST);
        }

        assertThat(Witness.get(oldest.ended).message()).contains("moves to another stream");
    }
}
