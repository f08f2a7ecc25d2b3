package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The listings of lines, reply by reply: how many, for whom, and of which lines. */
class LineListingsTest {

    private static final String LINE = "/app/locks/orders";
    private static final String ENTRY = "_c_00000000-0000-0000-0000-0000000000aa-lock-0000000004";

    /** What fits into an answer of this client. */
    private static final int FITS = 1_000;

    private final ScriptedWire wire = new ScriptedWire();
    private final List<String> told = new ArrayList<>();
    private ZkSession session;

    @BeforeEach
    void connect() {
        wire.maxAnswer = 64 * FITS;
        session = wire.session(new DeafListener());
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app", 0));
    }

    @Test
    void list_nothingKnown_readsTheLengthFirst() {
        list("a");
        assertThat(wire.open()).containsExactly("read " + LINE);

        wire.answer("read " + LINE, Code.OK, node(LINE, 3));

        assertThat(wire.open()).containsExactly("children " + LINE);
    }

    @Test
    void list_knownToBeShort_listsAtOnce() {
        known(FITS / 2);
        list("a");

        assertThat(wire.open()).containsExactly("children " + LINE);
    }

    @Test
    void list_knownToBeLong_readsTheLengthAgain() {
        known(FITS / 2 + 1);
        list("a");

        assertThat(wire.open()).containsExactly("read " + LINE);
    }

    @Test
    void list_knownLongAgo_readsTheLengthAgain() {
        known(1);
        wire.pass(Duration.ofMinutes(1));
        list("a");

        assertThat(wire.open()).contains("read " + LINE).doesNotContain("children " + LINE);
    }

    @Test
    void list_tooLong_isNotListedAndSaysWhatToDo() {
        list("a");
        wire.answer("read " + LINE, Code.OK, node(LINE, FITS + 1));

        assertThat(wire.open()).isEmpty();
        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("a too long")
                .contains("cannot list " + LINE, "1001 entries", "64000 bytes", "jute.maxbuffer", "more names");
    }

    @Test
    void list_oneUnderWay_waitsForTheNextWhichServesAllWhoAskedByThen() {
        known(1);
        list("a");
        list("b");
        list("c");
        assertThat(wire.open()).containsExactly("children " + LINE);

        wire.answer("children " + LINE, Code.OK, List.of());
        assertThat(told).containsExactly("a 0");
        assertThat(wire.open()).containsExactly("children " + LINE);
        wire.answer("children " + LINE, Code.OK, List.of(ENTRY));

        assertThat(told).containsExactly("a 0", "b 1", "c 1");
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void list_askedWhileTheLastIsTold_isServedByOneMore() {
        known(1);
        session.listings().list(LINE, (code, listing) -> {
            list("b");
            list("c");
        });
        wire.answer("children " + LINE, Code.OK, List.of());

        assertThat(wire.open()).containsExactly("children " + LINE);
        wire.answer("children " + LINE, Code.OK, List.of());
        assertThat(told).containsExactly("b 0", "c 0");
    }

    @Test
    void list_takerThrows_othersAreServedAllTheSame() {
        known(1);
        session.listings().list(LINE, (code, listing) -> {
            throw new IllegalStateException("thrown by a taker");
        });
        list("b");
        try {
            wire.answer("children " + LINE, Code.OK, List.of());
        } catch (IllegalStateException expected) {
            told.add(expected.getMessage());
        }
        wire.answer("children " + LINE, Code.OK, List.of());

        assertThat(told).containsExactly("thrown by a taker", "b 0");
    }

    @Test
    void list_connectionBroke_isListedAgainOnlyAfterALookAtTheLength() {
        known(1);
        list("a");
        list("b");
        wire.lose();
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app", 0));
        assertThat(told).containsExactly("a CONNECTIONLOSS", "b CONNECTIONLOSS");

        list("a");

        assertThat(wire.open()).containsExactly("read " + LINE);
    }

    @Test
    void list_connectionBreaksEachTime_lessAndLessIsBelievedToFit() {
        for (int broken = 0; broken < 3; broken++) {
            list("a");
            wire.answer("read " + LINE, Code.OK, node(LINE, FITS - 1));
            wire.answer("children " + LINE, Code.CONNECTIONLOSS, null);
        }
        list("a");
        wire.answer("read " + LINE, Code.OK, node(LINE, FITS - 1));

        assertThat(wire.open()).isEmpty();
        assertThat(told).last().asString().contains("a listing of 500 at most");
    }

    @Test
    void list_unreadable_isToldSo() {
        list("a");
        wire.answer("read " + LINE, Code.NOAUTH, null);

        assertThat(told).containsExactly("a NOAUTH");
    }

    @Test
    void look_manyLines_rememberTheLatestOnly() {
        for (int i = 0; i <= 10_000; i++) {
            session.lengths().note("/app/locks/n" + i, 1);
        }

        assertThat(session.lengths().knownUpTo("/app/locks/n0", 1)).isFalse();
        assertThat(session.lengths().knownUpTo("/app/locks/n1", 1)).isTrue();
    }

    private void known(int length) {
        session.lengths().note(LINE, length);
    }

    private void list(String who) {
        session.listings().list(LINE, new LineListings.Taker() {
            @Override
            public void listed(Code code, @Nullable Listing listing) {
                told.add(who + " " + (listing == null ? code : listing.names().size()));
            }

            @Override
            public void tooLong(CoordinationException why) {
                told.add(who + " too long: " + why.getMessage());
            }
        });
    }

    private static Node node(String path, int children) {
        return new Node(path, new byte[0], 9, 9, 9, 0, children, 0);
    }
}
