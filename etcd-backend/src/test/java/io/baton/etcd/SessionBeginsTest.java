package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.spi.Link;
import io.baton.spi.SessionSpec;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** How a session begins, and goes on, with a server that refuses what it is asked. */
class SessionBeginsTest {

    private static final Duration TTL = Duration.ofSeconds(4);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final HandWire wire = new HandWire();
    private final EtcdSession session;
    private EtcdWire.Events events;

    SessionBeginsTest() {
        session = new EtcdSession(
                EtcdAddress.parse(URI.create("etcd://nowhere/app")),
                new SessionSpec(TTL, "test"),
                Timing.of(TTL),
                wire,
                (patience, to) -> {
                    events = to;
                    return wire;
                },
                new DeafListener());
        events.connected();
    }

    @Test
    void grant_refusedAsTheServerIsBusy_isRepeatedAndSaysWhy() {
        refuseGrant(Code.OVERLOADED, "etcdserver: too many requests");
        assertThat(session.trouble()).hasValueSatisfying(why -> assertThat(why).contains("too many requests"));
        wire.pass(LONG);
        assertThat(wire.grants).hasSize(1);
    }

    /** Nobody would end the second one, nor hang anything on it. */
    @Test
    void grant_refusedAndThenTheConnectionBreaks_oneLeaseIsAskedFor() {
        refuseGrant(Code.OVERLOADED, "etcdserver: too many requests");
        events.disconnected("broken");
        events.connected();
        wire.pass(LONG);
        assertThat(wire.grants).hasSize(1);
    }

    /** A repetition belongs to the connection on which it was refused; the next one may have come further. */
    @Test
    void attach_refusedAfterAGrantWasOnTheConnectionBefore_leaseIsKept() {
        refuseGrant(Code.OVERLOADED, "etcdserver: too many requests");
        events.disconnected("broken");
        events.connected();
        grant(TTL);
        wire.fail(Code.OVERLOADED, "etcdserver: too many requests");
        wire.pass(LONG);
        assertThat(wire.grants).isEmpty();
        assertThat(wire.asked()).hasSize(1);
    }

    /** The lease has lived since some time before its answer: perhaps since it was asked for. */
    @Test
    void grant_answeredLate_theFirstProofCountsFromItsSend() {
        long asked = wire.nanoTime();
        wire.pass(Duration.ofMillis(700));

        wire.grants.remove().accept(Fault.NONE, new Lease(HandWire.header(9), HandWire.LEASE, TTL));

        assertThat(session.proof().sentNanos()).isEqualTo(asked);
        assertThat(session.proof().deadlineNanos()).isEqualTo(asked + TTL.toNanos() - 90_000_000);
    }

    @Test
    void grant_notPermitted_isTheEnd() {
        refuseGrant(Code.DENIED, "etcdserver: permission denied");
        assertThat(session.link()).isEqualTo(Link.LOST);
    }

    @Test
    void ownKey_mayNotBeReadForAWhile_theSessionIsInContactOnceItMay() {
        begin();
        events.disconnected("broken");
        events.connected();
        for (int i = 0; i < 3; i++) {
            wire.fail(Code.DENIED, "etcdserver: permission denied");
            assertThat(wire.asked()).isEmpty();
            wire.pass(Duration.ofSeconds(1));
            assertThat(session.link()).isEqualTo(Link.SUSPENDED);
            assertThat(session.trouble())
                    .hasValueSatisfying(why -> assertThat(why).contains("permission denied"));
        }
        wire.answer(30, HandSession.own());
        assertThat(session.link()).isEqualTo(Link.CONNECTED);
        assertThat(session.trouble()).isEmpty();
    }

    @Test
    void grant_ofMoreThanAsked_isTakenAndSaysWhy() {
        grant(TTL.plusSeconds(3));

        assertThat(session.timeout()).isEqualTo(TTL.plusSeconds(3));
        assertThat(session.whyTimeoutRaised())
                .hasValueSatisfying(why -> assertThat(why).contains("grants no lease for less"));
    }

    @Test
    void grant_ofAsMuchAsAsked_isNotRaised() {
        begin();

        assertThat(session.whyTimeoutRaised()).isEmpty();
    }

    @Test
    void grant_ofMoreThanAStrictTtl_endsTheSessionWithTheReason() {
        var told = new ArrayList<CoordinationException>();
        var strict = new HandWire();
        EtcdWire.Events[] to = new EtcdWire.Events[1];
        var refused = new EtcdSession(
                EtcdAddress.parse(URI.create("etcd://nowhere/app")),
                new SessionSpec(TTL, "test", true),
                Timing.of(TTL),
                strict,
                (patience, heard) -> {
                    to[0] = heard;
                    return strict;
                },
                new DeafListener() {
                    @Override
                    public void lost(CoordinationException why) {
                        told.add(why);
                    }
                });
        to[0].connected();
        strict.grants.remove().accept(Fault.NONE, new Lease(HandWire.header(9), HandWire.LEASE, TTL.plusSeconds(3)));
        strict.pass(Duration.ZERO);

        assertThat(refused.link()).isEqualTo(Link.LOST);
        assertThat(told)
                .singleElement()
                .satisfies(why -> assertThat(why.getMessage())
                        .contains("grants no less than " + TTL.plusSeconds(3).toMillis() + " ms", "strict ttl"));
    }

    private void grant(Duration ttl) {
        wire.grants.remove().accept(Fault.NONE, new Lease(HandWire.header(9), HandWire.LEASE, ttl));
    }

    private void begin() {
        grant(TTL);
        wire.answer(10, HandWire.part());
        wire.pass(Duration.ZERO);
        assertThat(session.link()).isEqualTo(Link.CONNECTED);
    }

    private void refuseGrant(Code code, String message) {
        wire.grants.remove().accept(new Fault(code, message), null);
    }
}
