package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.spi.Line;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A session in contact whose watches are not answered. That of its own key is requested again each time. */
class LostWatchesTest {

    private final HandSession hand = new HandSession();
    private final HandWire wire = hand.wire;

    @Test
    void watches_lostInContactAgainAndAgain_areATroubleUntilOneIsSet() {
        loseOneAfterTheOther(2);
        assertThat(hand.listener.troubles).isEmpty();

        loseOneAfterTheOther(1);
        assertThat(hand.listener.troubles).containsOnlyKeys("Cannot watch keys");
        assertThat(hand.listener.troubles.values()).singleElement().asString().contains("said by hand");

        wire.pass(Duration.ofSeconds(2));
        wire.watch().create();
        assertThat(hand.listener.troubles).isEmpty();
    }

    @Test
    void watches_lostInContactManyTimes_anotherMemberIsTriedEverMoreSeldom() {
        loseOneAfterTheOther(3);
        assertThat(wire.reconnects).isZero();
        loseOneAfterTheOther(1);
        assertThat(wire.reconnects).isOne();
        loseOneAfterTheOther(3);
        assertThat(wire.reconnects).isOne();
        loseOneAfterTheOther(1);

        assertThat(wire.reconnects).isEqualTo(2);
    }

    @Test
    void watches_setInBetween_areNoTrouble() {
        for (int i = 0; i < 5; i++) {
            loseOneAfterTheOther(2);
            wire.pass(Duration.ofSeconds(2));
            wire.watch().create();
        }

        assertThat(hand.listener.troubles).isEmpty();
        assertThat(wire.reconnects).isZero();
    }

    /** As where a server is slow for a moment, and many wait. */
    @Test
    void watches_manyLostTogether_countAsOne() {
        for (int i = 0; i < 10; i++) {
            hand.session.observe(Line.of("locks/orders" + i), first -> {});
        }
        for (int i = 0; i < 10; i++) {
            wire.answer(20, HandWire.part());
        }
        assertThat(wire.watching()).isEqualTo(10);
        List.copyOf(wire.watches).forEach(watch -> watch.end(Code.LOST));
        wire.pass(Duration.ZERO);

        assertThat(hand.listener.troubles).isEmpty();
        assertThat(wire.reconnects).isZero();
    }

    @Test
    void watches_lostWithTheConnection_areNoTrouble() {
        for (int i = 0; i < 10; i++) {
            hand.disconnect();
            wire.pass(Duration.ofSeconds(2));
            hand.connect();
        }

        assertThat(hand.listener.troubles).isEmpty();
        assertThat(wire.reconnects).isZero();
    }

    private void loseOneAfterTheOther(int many) {
        for (int i = 0; i < many; i++) {
            wire.pass(Duration.ofSeconds(2));
            wire.watch().end(Code.LOST);
            wire.pass(Duration.ZERO);
        }
    }
}
