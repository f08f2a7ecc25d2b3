package io.baton.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories of databases: of fail-overs that may lose what was written last, and nothing else, and of evictions. */
class DatabaseCheckTest {

    private static final Duration BOUND = Duration.ofNanos(1_000);
    private static final Duration TTL = Duration.ofNanos(100);

    /** All that was acknowledged by 30 is there; the former server ended by 50. */
    private static final String FAIL_OVER = """
            29 nemesis fault kind=standby_promoted target=server_2 millis=1 costs=any round=1 safe=30 gone=50
            90 nemesis healed round=1
            """;

    private static final String HOLDS = """
            10 p1.1.1 granted ask=p1.1.1/1 lock=a token=7 remaining=9 seen=11
            28 p1.1.1 releasing lock=a token=7
            35 p1.1.2 granted ask=p1.1.2/1 lock=b token=3 remaining=9 seen=36
            45 p1.1.2 releasing lock=b token=3
            60 p2.1.1 granted ask=p2.1.1/1 lock=a token=900 remaining=9 seen=61
            70 p2.1.1 releasing lock=a token=900
            71 p2.1.2 granted ask=p2.1.2/1 lock=b token=900 remaining=9 seen=72
            80 p2.1.2 releasing lock=b token=900
            """;

    @Test
    void check_writeUnderWayAtTheFailOver_mayBeLost() {
        String history = HOLDS + write(20, 31, "p1.1.1/w1", "a", 7, 1, "") + write(62, 65, "p2.1.1/w1", "a", 900, 1, "")
                + "99 audit counted lock=a value=1 write=p2.1.1/w1\n";

        assertThat(kinds(history + FAIL_OVER)).isEmpty();
        assertThat(kinds(history)).contains(Kind.LOST_UPDATE);
    }

    @Test
    void check_writeAcknowledgedBeforeAllWasThere_mayNotBeLost() {
        assertThat(kinds(HOLDS + FAIL_OVER + write(20, 25, "p1.1.1/w1", "a", 7, 1, "")
                        + write(62, 65, "p2.1.1/w1", "a", 900, 1, "")
                        + "99 audit counted lock=a value=1 write=p2.1.1/w1\n"))
                .contains(Kind.LOST_UPDATE);
    }

    @Test
    void check_writeBegunAfterTheFormerServerEnded_mayNotBeLost() {
        assertThat(kinds(HOLDS + FAIL_OVER + write(62, 65, "p2.1.1/w1", "a", 900, 1, "")
                        + "99 audit counted lock=a value=0 write=\n"))
                .contains(Kind.LOST_UPDATE);
    }

    /** What is lost is the end of all that was written. */
    @Test
    void check_lostThoughALaterOneIsThere_isAViolation() {
        String lost = HOLDS + FAIL_OVER + write(22, 31, "p1.1.1/w1", "a", 7, 1, "")
                + write(62, 65, "p2.1.1/w1", "a", 900, 1, "")
                + "99 audit counted lock=a value=1 write=p2.1.1/w1\n";
        String read = write(73, 75, "p2.1.2/w1", "b", 900, 2, "p1.1.2/w1")
                + "99 audit counted lock=b value=2 write=p2.1.2/w1\n";

        assertThat(kinds(lost + read + write(37, 40, "p1.1.2/w1", "b", 3, 1, "")))
                .containsExactly(Kind.LOST_UPDATE);
        // Not acknowledged before the end of the former server, it may have been written to the new one.
        assertThat(kinds(lost + read + write(37, 55, "p1.1.2/w1", "b", 3, 1, "")))
                .isEmpty();
    }

    /** Who read it before the fail-over and held on may write what builds on it. */
    @Test
    void check_refusedWriteWasRead_isFalseUnlessItsReaderHeldBefore() {
        String refused = HOLDS.replace("28 p1.1.1 releasing lock=a token=7\n", "") + """
                31 p0.1.1 attempted write=p0.1.1/w1 lock=a token=5 value=1 read=
                55 p0.1.1 refused write=p0.1.1/w1
                """;
        String end = "99 audit counted lock=a value=2 write=";

        assertThat(kinds(
                        refused + FAIL_OVER + write(56, 57, "p1.1.1/w1", "a", 7, 2, "p0.1.1/w1") + end + "p1.1.1/w1\n"))
                .doesNotContain(Kind.FALSE_OUTCOME);
        assertThat(kinds(refused + FAIL_OVER + write(62, 65, "p2.1.1/w1", "a", 900, 2, "p0.1.1/w1") + end
                        + "p2.1.1/w1\n"))
                .contains(Kind.FALSE_OUTCOME);
    }

    @Test
    void check_additions_mayBeLostIfUnderWayAtTheFailOver() {
        String early = """
                20 p1.1.recipes adding addition=1
                25 p1.1.recipes added addition=1
                26 p1.1.recipes adding addition=2
                40 p1.1.recipes added addition=2
                """;

        assertThat(kinds(FAIL_OVER + early + "99 audit summed value=1\n")).isEmpty();
        assertThat(kinds(FAIL_OVER + early + "99 audit summed value=2\n")).isEmpty();
        assertThat(kinds(FAIL_OVER + early + "99 audit summed value=0\n")).containsExactly(Kind.WRONG_SUM);
        assertThat(kinds(FAIL_OVER + early + "60 p1.1.recipes added addition=2\n99 audit summed value=1\n"))
                .isEmpty();
        assertThat(kinds(FAIL_OVER + early + "60 p1.1.recipes adding addition=3\n"
                        + "61 p1.1.recipes added addition=3\n99 audit summed value=1\n"))
                .containsExactly(Kind.WRONG_SUM);
    }

    @Test
    void check_numberTwice_mayBeIfItsBlockWasTakenAtTheFailOver() {
        String again = "60 p2.1.recipes adding addition=1\n61 p2.1.recipes numbered number=21\n";

        assertThat(kinds(FAIL_OVER + "30 p1.1.recipes adding addition=1\n40 p1.1.recipes numbered number=21\n" + again))
                .isEmpty();
        // Taken later, and from a block that was taken then.
        assertThat(kinds(FAIL_OVER
                        + "30 p1.1.recipes adding addition=1\n40 p1.1.recipes numbered number=20\n"
                        + "56 p1.1.recipes adding addition=2\n57 p1.1.recipes numbered number=21\n" + again))
                .containsExactly(Kind.REPEATED_NUMBER);
        assertThat(kinds(FAIL_OVER + "20 p1.1.recipes adding addition=1\n24 p1.1.recipes numbered number=21\n" + again))
                .containsExactly(Kind.REPEATED_NUMBER);
    }

    /** What was told of a recipe before may be told differently after it; but not if it was told early enough. */
    @Test
    void check_verdictAndAnswerUnderWayAtTheFailOver_mayBeLost() {
        String told = """
                %1$s p1.1.barrier-1 told-verdict at=barrier number=1 passed=false parties=a,b,c me=a asked=10
                60 p2.1.barrier-1 told-verdict at=barrier number=1 passed=false parties=d,e,f me=d asked=55
                20 p1.1.asking answering question=q answer=x
                %1$s p1.1.asking answered question=q answer=x asked=10
                59 p1.1.asking answering question=q answer=y
                60 p1.1.asking answered question=q answer=y asked=55
                """;

        assertThat(kinds(FAIL_OVER + told.formatted(40))).isEmpty();
        assertThat(kinds(FAIL_OVER + told.formatted(25))).containsExactly(Kind.SPLIT_VERDICT, Kind.WRONG_ANSWER);
    }

    /** The next one is granted before the holder hears of it. */
    @Test
    void check_entryWasEvicted_holdIsWorthNothingFromThenOn() {
        String holds = """
                10 p1.1.1 granted ask=p1.1.1/1 lock=a token=7 remaining=90 seen=11
                25 p2.1.1 granted ask=p2.1.1/1 lock=a token=9 remaining=90 seen=26
                30 p1.1.1 looked lock=a token=7 state=HELD remaining=70 seen=31
                31 p1.1.1 releasing lock=a token=7
                32 p2.1.1 releasing lock=a token=9
                """;

        assertThat(kinds(holds)).containsExactlyInAnyOrder(Kind.OVERLAP, Kind.BROKEN_PROMISE);
        assertThat(kinds(holds + "20 operator evicting lock=a token=7\n")).isEmpty();
        assertThat(kinds("20 operator evicting lock=a token=7\n" + holds)).isEmpty();
        assertThat(kinds("28 operator evicting lock=a token=7\n" + holds))
                .containsExactlyInAnyOrder(Kind.OVERLAP, Kind.BROKEN_PROMISE);
        assertThat(kinds("20 operator evicting lock=b token=7\n" + holds))
                .containsExactlyInAnyOrder(Kind.OVERLAP, Kind.BROKEN_PROMISE);
    }

    /** The next one is granted, and releases, before the one that was evicted hears of its grant. */
    @Test
    void check_entryWasEvictedBeforeItsHolderHeardOfTheGrant_isNoGrantOutOfOrder() {
        String holds = """
                25 p2.1.1 granted ask=p2.1.1/1 lock=a token=9 remaining=90 seen=26
                27 p2.1.1 releasing lock=a token=9
                30 p1.1.1 granted ask=p1.1.1/1 lock=a token=7 remaining=70 seen=31
                32 p1.1.1 releasing lock=a token=7
                """;

        assertThat(kinds(holds)).containsExactly(Kind.TOKEN_ORDER);
        assertThat(kinds(holds + "20 operator evicting lock=a token=7\n")).isEmpty();
        assertThat(kinds(holds + "31 operator evicting lock=a token=7\n")).containsExactly(Kind.TOKEN_ORDER);
        assertThat(kinds(holds + "20 operator evicting lock=a token=9\n")).containsExactly(Kind.TOKEN_ORDER);
    }

    /** The next one is granted, and still holds, when the one that was evicted hears of its grant. */
    @Test
    void check_entryWasEvictedBeforeItsHolderHeardOfTheGrant_overlapsWithNobody() {
        String holds = """
                25 p2.1.1 granted ask=p2.1.1/1 lock=a token=9 remaining=90 seen=26
                30 p1.1.1 granted ask=p1.1.1/1 lock=a token=7 remaining=70 seen=31
                32 p1.1.1 releasing lock=a token=7
                35 p2.1.1 looked lock=a token=9 state=HELD remaining=80 seen=36
                37 p2.1.1 releasing lock=a token=9
                """;

        assertThat(kinds(holds)).contains(Kind.OVERLAP);
        assertThat(kinds(holds + "20 operator evicting lock=a token=7\n")).isEmpty();
        assertThat(kinds(holds + "34 operator evicting lock=a token=7\n")).contains(Kind.OVERLAP);
    }

    private static String write(int began, int ended, String id, String lock, int token, int value, String read) {
        String who = id.substring(0, id.indexOf('/'));
        return began + " " + who + " attempted write=" + id + " lock=" + lock + " token=" + token + " value=" + value
                + " read=" + read + "\n" + ended + " " + who + " applied write=" + id + "\n";
    }

    private static List<Kind> kinds(String lines) {
        return new Checker(BOUND, TTL, false)
                .check(RunHistory.of(lines.lines().toList())).stream()
                        .map(Violation::kind)
                        .toList();
    }
}
