package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.EtcdWire.Code;
import io.baton.etcd.EtcdWire.Fault;
import io.baton.etcd.EtcdWire.Lease;
import io.baton.spi.Link;
import io.baton.spi.SessionSpec;
import java.net.URI;
import java.time.Duration;
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
        wire.grants.remove().accept(Fault.NONE, new Lease(HandWire.header(9), HandWire.LEASE, TTL));
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

    private void begin() {
        wire.grants.remove().accept(Fault.NONE, new Lease(HandWire.header(9), HandWire.LEASE, TTL));
        wire.answer(10, HandWire.part());
        wire.pass(Duration.ZERO);
        assertThat(session.link()).isEqualTo(Link.CONNECTED);
    }

    private void refuseGrant(Code code, String message) {
        wire.grants.remove().accept(new Fault(code, message), null);
    }
}
