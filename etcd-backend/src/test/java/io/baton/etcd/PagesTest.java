package io.baton.etcd;

import static io.baton.etcd.HandGround.kv;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.spi.support.AdaptiveLimit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PagesTest implements Pages.Done {

    private static final String A = "/app/t/a";
    private static final String B = "/app/t/b";
    private static final String C = "/app/t/c";

    private final HandWire wire = new HandWire();
    private final RequestWindow window =
            new RequestWindow(wire, wire, () -> true, AdaptiveLimit.fixed(RequestWindow.LIMIT));
    private final Pages pages = new Pages();
    private final List<String> told = new ArrayList<>();
    private boolean wanted = true;

    @Override
    public void read(List<Kv> all, Header header) {
        told.add(all.stream().map(Kv::key).toList() + " at " + header.revision());
    }

    @Override
    public void failed(Fault why) {
        told.add(why.code().toString());
    }

    @Test
    void read_severalPages_allAreOfTheRevisionOfTheFirst() {
        read();
        wire.answer(100, page(3, A));
        assertThat(wire.asked()).containsExactly("read /app/t/* after a at 100");
        wire.answer(105, page(2, B));
        assertThat(wire.asked()).containsExactly("read /app/t/* after b at 100");
        wire.answer(107, page(1, C));

        assertThat(told).containsExactly("[/app/t/a, /app/t/b, /app/t/c] at 100");
        assertThat(wire.asked()).isEmpty();
    }

    @Test
    void read_nothingThere_isAnEmptyTree() {
        read();
        wire.answer(100, page(0));

        assertThat(told).containsExactly("[] at 100");
    }

    @Test
    void read_compactedBetweenPages_failsAndTheNextBeginsAnew() {
        read();
        wire.answer(100, page(2, A));
        wire.fail(Code.COMPACTED, "compacted");
        assertThat(told).containsExactly("COMPACTED");

        read();
        assertThat(wire.asked()).containsExactly("read /app/t/*");
        wire.answer(200, page(2, A));
        assertThat(wire.asked()).containsExactly("read /app/t/* after a at 200");
    }

    @Test
    void read_tooLarge_isAskedAgainForLess() {
        read();
        int first = wire.limit();
        wire.fail(Code.TOO_LARGE, "too large");
        assertThat(wire.limit()).isEqualTo(first / 2);
        wire.answer(100, page(2, A));
        wire.fail(Code.TOO_LARGE, "too large");

        assertThat(wire.asked()).containsExactly("read /app/t/* after a at 100");
        assertThat(told).isEmpty();
    }

    @Test
    void read_oneKeyIsTooLarge_fails() {
        read();
        while (wire.limit() > 1) {
            wire.fail(Code.TOO_LARGE, "too large");
        }
        wire.fail(Code.TOO_LARGE, "too large");

        assertThat(told).containsExactly("TOO_LARGE");
        assertThat(wire.asked()).isEmpty();
    }

    @Test
    void read_noAnswerInTime_theNextAttemptAsksForLess() {
        read();
        int first = wire.limit();
        wire.fail(Code.LOST, "late");
        read();

        assertThat(wire.limit()).isEqualTo(first / 2);
    }

    @Test
    void read_smallValues_pagesGrow() {
        read();
        int first = wire.limit();
        wire.answer(100, page(9_000, A));

        assertThat(wire.limit()).isGreaterThan(first);
    }

    @Test
    void read_largeValues_pagesShrink() {
        read();
        String large = "x".repeat(1_000_000);
        wire.answer(100, new Part(List.of(kv(A, large, 5, 5), kv(B, large, 5, 5)), 100));

        assertThat(wire.limit()).isEqualTo(1);
    }

    @Test
    void read_notWantedAnyMore_asksAndTellsNothing() {
        read();
        wanted = false;
        wire.answer(100, page(2, A));

        assertThat(wire.asked()).isEmpty();
        assertThat(told).isEmpty();
    }

    private void read() {
        pages.read(window, EtcdWire.Range.below("/app/t/"), () -> wanted, this);
    }

    /** So many there are from here on. */
    private static Part page(long count, String... keys) {
        var kvs = new ArrayList<Kv>();
        for (String key : keys) {
            kvs.add(kv(key, "", 5, 5));
        }
        return new Part(kvs, count);
    }
}
