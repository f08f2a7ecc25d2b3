package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire.Header;
import org.junit.jupiter.api.Test;

class RewindDetectorTest {

    private int told;
    private final RewindDetector rewind = new RewindDetector(() -> told++);

    @Test
    void answered_earlierThanKnownWhenSent_isTold() {
        rewind.onHeader(header(1, 100));
        RewindDetector.Mark sent = rewind.mark();

        rewind.answered(header(1, 99), sent);

        assertThat(told).isEqualTo(1);
        assertThat(rewind.knownRevision()).isEqualTo(99);
    }

    @Test
    void answered_overtakenByANewerAnswer_isNoRewind() {
        rewind.onHeader(header(1, 100));
        RewindDetector.Mark sent = rewind.mark();
        rewind.onHeader(header(1, 105));

        rewind.answered(header(1, 100), sent);

        assertThat(told).isZero();
        assertThat(rewind.knownRevision()).isEqualTo(105);
    }

    @Test
    void heard_memberBehind_isNoRewind() {
        rewind.onHeader(header(1, 100));

        rewind.onHeader(header(1, 50));

        assertThat(told).isZero();
        assertThat(rewind.knownRevision()).isEqualTo(100);
    }

    @Test
    void answered_severalSentBefore_isToldOnce() {
        rewind.onHeader(header(1, 100));
        RewindDetector.Mark one = rewind.mark();
        RewindDetector.Mark other = rewind.mark();

        rewind.answered(header(1, 50), one);
        rewind.answered(header(1, 51), other);

        assertThat(told).isEqualTo(1);
        assertThat(rewind.knownRevision()).isEqualTo(51);
    }

    @Test
    void answered_setBackOnceMore_isToldAgain() {
        rewind.onHeader(header(1, 100));
        rewind.answered(header(1, 50), rewind.mark());

        rewind.answered(header(1, 40), rewind.mark());

        assertThat(told).isEqualTo(2);
    }

    @Test
    void heard_anotherCluster_isTold() {
        rewind.onHeader(header(1, 100));

        rewind.onHeader(header(2, 200));

        assertThat(told).isEqualTo(1);
    }

    private static Header header(long cluster, long revision) {
        return new Header(cluster, 7, revision, 3);
    }
}
