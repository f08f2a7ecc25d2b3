package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a long time to live must not make slow. */
class LongTimeToLiveTest {

    private static final Timing LONG = Timing.of(Duration.ofMinutes(10));

    private final HandWire loop = new HandWire();
    private final List<Boolean> beats = new ArrayList<>();
    private final Heartbeat heartbeat = new Heartbeat(loop, LONG, new Evidence(loop, LONG), beats::add);

    private int beatsWithin(Duration time) {
        beats.clear();
        for (long second = 0; second < time.toSeconds(); second++) {
            loop.pass(Duration.ofSeconds(1));
            heartbeat.beatDone();
        }
        return beats.size();
    }

    @Test
    void beat_keen_looksAtEntriesEveryFewSeconds() {
        heartbeat.connected();
        heartbeat.proveEachBeat(true);
        heartbeat.proven();

        assertThat(beatsWithin(Duration.ofMinutes(1))).isBetween(10, 13);
        assertThat(beats).containsOnly(true);
    }

    @Test
    void beat_notKeen_renewsAsSeldomAsTheTimeToLiveAllows() {
        heartbeat.connected();

        assertThat(beatsWithin(Duration.ofMinutes(10))).isBetween(4, 5);
    }
}
