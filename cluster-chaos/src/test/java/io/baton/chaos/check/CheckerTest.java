package io.baton.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Histories written by hand, good ones and bad ones: each kind of violation is found, and nothing else. */
class CheckerTest {

    private static final Duration BOUND = Duration.ofNanos(1_000);
    private static final Duration TTL = Duration.ofNanos(100);

    /** Two turns as they should be: granted, looked at, written, released. */
    private static final String GOOD = """
            10 p1.1.1 asked ask=p1.1.1/1 lock=a how=PATIENTLY
            11 p2.1.1 asked ask=p2.1.1/1 lock=a how=PATIENTLY
            20 p1.1.1 granted ask=p1.1.1/1 lock=a token=7 remaining=100 seen=21
            22 p1.1.1 attempted write=p1.1.1/w1 lock=a token=7 value=1 read=
            24 p1.1.1 applied write=p1.1.1/w1
            25 p1.1.1 looked lock=a token=7 state=HELD remaining=100 seen=26
            30 p1.1.1 releasing lock=a token=7
            40 p2.1.1 granted ask=p2.1.1/1 lock=a token=9 remaining=100 seen=41
            42 p2.1.1 attempted write=p2.1.1/w1 lock=a token=9 value=2 read=p1.1.1/w1
            44 p2.1.1 applied write=p2.1.1/w1
            50 p2.1.1 releasing lock=a token=9
            60 audit left lock=a entries=0
            61 audit counted lock=a value=2 write=p2.1.1/w1
            """;

    @Test
    void check_goodHistory_findsNothing() {
        assertThat(check(GOOD)).isEmpty();
        assertThat(check("")).isEmpty();
    }

    // ---- recipes

    @Test
    void check_additionsCountedAsTheyWereApplied_isGood() {
        String additions = """
                10 p1.1.recipes adding addition=1
                11 p1.1.recipes added addition=1
                12 p1.1.recipes added addition=1
                13 p1.1.recipes adding addition=2
                14 p1.1.recipes not-added addition=2 why=StoreUnavailableException
                15 p1.1.recipes adding addition=3
                """;

        assertThat(kinds(additions + "90 audit summed value=1\n")).isEmpty();
        assertThat(kinds(additions + "90 audit summed value=2\n")).isEmpty();
        assertThat(kinds(additions + "90 audit summed value=0\n")).containsExactly(Kind.WRONG_SUM);
        assertThat(kinds(additions + "90 audit summed value=3\n")).containsExactly(Kind.WRONG_SUM);
    }

    @Test
    void check_numberTwiceOrAfterALargerOne_isRepeated() {
        assertThat(kinds("""
                                10 p1.1.recipes numbered number=1
                                11 p2.1.recipes numbered number=4
                                12 p1.1.recipes numbered number=2
                                """)).isEmpty();
        assertThat(kinds("""
                                10 p1.1.recipes numbered number=1
                                11 p2.1.recipes numbered number=1
                                """)).containsExactly(Kind.REPEATED_NUMBER);
        assertThat(kinds("""
                                10 p1.1.recipes numbered number=2
                                11 p1.1.recipes numbered number=1
                                """)).containsExactly(Kind.REPEATED_NUMBER);
    }

    @Test
    void check_partiesToldTheSameOnceAllHadCome_isGood() {
        assertThat(kinds("""
                                20 p1.1.barrier-1 told-verdict at=barrier number=1 passed=true parties=a,b,c me=a asked=10
                                19 p2.1.barrier-1 told-verdict at=barrier number=1 passed=true parties=a,b,c me=b asked=18
                                30 p1.1.barrier-1 told-verdict at=barrier number=2 passed=false parties=d,e me=d asked=21
                                31 p2.1.barrier-1 told-verdict at=barrier number=2 passed=false parties=d,e me=e asked=22
                                32 p3.1.barrier-1 told-verdict at=barrier number=2 passed=false parties=f me=f asked=22
                                """)).isEmpty();
    }

    @Test
    void check_partiesToldDifferently_isASplitVerdict() {
        String first = "20 p1.1.barrier-1 told-verdict at=barrier number=1 passed=true parties=a,b,c me=a asked=10\n";

        for (String other : List.of(
                "passed=false parties=a,b,c me=b",
                "passed=true parties=a,b,d me=b",
                "passed=true parties=a,b,c me=a")) {
            assertThat(kinds(first + "21 p2.1.barrier-1 told-verdict at=barrier number=1 " + other + " asked=11\n"))
                    .as(other)
                    .containsExactly(Kind.SPLIT_VERDICT);
        }
    }

    @Test
    void check_passedBeforeAllHadCome_isEarly() {
        assertThat(kinds("""
                                20 p1.1.barrier-1 told-verdict at=barrier number=1 passed=true parties=a,b,c me=a asked=10
                                30 p2.1.barrier-1 told-verdict at=barrier number=1 passed=true parties=a,b,c me=b asked=21
                                """)).containsExactly(Kind.EARLY_PASS);
        assertThat(kinds("""
                                20 p1.1.barrier-1 told-verdict at=barrier number=1 passed=true parties=a,b me=a asked=10
                                """)).containsExactly(Kind.EARLY_PASS);
    }

    @Test
    void check_enteredWhileOneOfTheRoundBeforeWasInside_isEarlyUnlessThatRoundWasBroken() {
        String exit = """
                40 p1.1.double-1 told-verdict at=exit number=1 passed=%1$s parties=a,b,c me=a asked=10
                41 p2.1.double-1 told-verdict at=exit number=1 passed=%1$s parties=a,b,c me=b asked=35
                """;
        String next = "30 p3.1.double-1 told-verdict at=entry number=2 passed=true parties=d,e,f me=d asked=11\n";

        assertThat(kinds(exit.formatted(true) + next)).containsExactly(Kind.EARLY_PASS);
        assertThat(kinds(exit.formatted(false) + next)).isEmpty();
        assertThat(kinds(exit.formatted(true) + next.replace("30 p3", "36 p3"))).isEmpty();
        assertThat(kinds(exit.formatted(true) + next.replace("number=2", "number=3")))
                .as("round 2 was broken before it was entered")
                .containsExactly(Kind.EARLY_PASS);
    }

    @Test
    void check_latchLetGoAfterEnoughHadCountedDown_isGood() {
        assertThat(kinds(counting("a", "b", "c") + """
                                20 p1.1.latch-1 counted-down latch=l id=a asked=9
                                21 p1.1.latch-1 let-go latch=l counted=a,b,c asked=9
                                """)).isEmpty();
    }

    @Test
    void check_latchLetGoWithTooFewOrOthers_isWrong() {
        String letGo = "21 p1.1.latch-1 let-go latch=l counted=a,b,c asked=9\n";

        assertThat(kinds(counting("a", "b") + letGo)).containsExactly(Kind.WRONG_LATCH);
        assertThat(kinds(counting("a", "b", "c") + letGo.replace("a,b,c", "a,b")))
                .containsExactly(Kind.WRONG_LATCH);
        assertThat(kinds(counting("a", "b", "c", "d") + letGo
                        + "22 p2.1.latch-1 let-go latch=l counted=a,b,d asked=9\n"))
                .containsExactly(Kind.WRONG_LATCH);
        assertThat(kinds(counting("a", "b", "c", "d") + letGo + "22 p4.1.latch-1 counted-down latch=l id=d asked=9\n"))
                .containsExactly(Kind.WRONG_LATCH);
    }

    private static String counting(String... ids) {
        return Stream.of(ids)
                .map(id -> "10 p1.1.latch-" + id + " counting-down latch=l id=" + id + "\n")
                .collect(Collectors.joining());
    }

    @Test
    void check_answersThatAreTheOneGivenLast_areGood() {
        assertThat(kinds("""
                                10 p1.1.asking answering question=q answer=x
                                15 p2.1.asking answering question=q answer=y
                                20 p3.1.asking answered question=q answer=y asked=5
                                21 p3.1.asking answered question=q answer=y asked=20
                                """)).isEmpty();
    }

    @Test
    void check_answersThatDifferOrWereNotGiven_areWrong() {
        String given = """
                10 p1.1.asking answering question=q answer=x
                15 p2.1.asking answering question=q answer=y
                16 p2.1.asking answering question=other answer=z
                20 p3.1.asking answered question=q answer=y asked=5
                """;

        assertThat(kinds(given + "21 p1.1.asking answered question=q answer=x asked=5\n"))
                .containsExactly(Kind.WRONG_ANSWER);
        for (String line : List.of(
                "14 p1.1.asking answered question=early answer=w asked=5",
                "21 p1.1.asking answered question=another answer=z asked=5")) {
            assertThat(kinds(given + line + "\n")).as(line).containsExactly(Kind.WRONG_ANSWER);
        }
    }

    @Test
    void check_memberThatWasInForLong_hasToBeSeen() {
        String member = """
                10 p1.1.group member member=m remaining=100 seen=11
                2000 p1.1.group member member=m remaining=100 seen=2001
                """;

        assertThat(kinds(member + "2020 p2.1.group saw-members members=k,m asked=2010\n"))
                .isEmpty();
        assertThat(kinds(member + "2020 p2.1.group saw-members members=k asked=2010\n"))
                .containsExactly(Kind.UNSEEN_MEMBER);
        assertThat(kinds(member + "2120 p2.1.group saw-members members=k asked=2010\n"))
                .as("it may have ended meanwhile")
                .isEmpty();
        assertThat(kinds(member + "2015 p1.1.group member member=m remaining=0 seen=2015\n"
                        + "2020 p2.1.group saw-members members=k asked=2010\n"))
                .as("it left")
                .isEmpty();
        assertThat(kinds(member.replace("2000 ", "1990 p1.1.group member member=m remaining=0 seen=1990\n2000 ")
                        + "2020 p2.1.group saw-members members=k asked=2010\n"))
                .as("it has just come back, and the server that was asked may be behind")
                .isEmpty();
    }

    // ---- one at a time

    @Test
    void check_twoLookedValidAtOnce_isAnOverlap() {
        assertThat(kinds("""
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=21
                                40 p2.1.1 granted ask=2 lock=a token=9 remaining=5 seen=41
                                42 p1.1.1 looked lock=a token=7 state=HELD remaining=5 seen=43
                                """)).contains(Kind.OVERLAP);
    }

    @Test
    void check_twoOfThreeOverlapAndNotInTurn_isAnOverlap() {
        assertThat(kinds("""
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=21
                                90 p1.1.1 looked lock=a token=7 state=HELD remaining=5 seen=91
                                30 p2.1.1 granted ask=2 lock=a token=8 remaining=5 seen=31
                                50 p3.1.1 granted ask=3 lock=a token=9 remaining=5 seen=51
                                """).stream().filter(Kind.OVERLAP::equals)).hasSize(2);
    }

    @Test
    void check_otherLock_isNoOverlap() {
        assertThat(check("""
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=21
                                40 p2.1.1 granted ask=2 lock=b token=9 remaining=5 seen=41
                                42 p1.1.1 looked lock=a token=7 state=HELD remaining=5 seen=43
                                """)).isEmpty();
    }

    @Test
    void check_validOnlyWhileOneLooked_isNoOverlap() {
        // The second was granted at some moment between 30 and 45, and the first was last valid at 40 or later.
        assertThat(check("""
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=21
                                40 p1.1.1 looked lock=a token=7 state=HELD remaining=1 seen=44
                                30 p2.1.1 granted ask=2 lock=a token=9 remaining=5 seen=45
                                """)).isEmpty();
    }

    @Test
    void check_lostOneStillThere_isNoOverlap() {
        assertThat(check("""
                                5 nemesis fault kind=client_frozen target=p1.1 millis=1 round=1
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=21
                                40 p2.1.1 granted ask=2 lock=a token=9 remaining=5 seen=41
                                42 p1.1.1 looked lock=a token=7 state=LOST remaining=0 seen=43
                                44 p1.1.1 lost lock=a token=7
                                """)).isEmpty();
    }

    // ---- promises

    @Test
    void check_grantedWhileAFrozenHolderWasStillCertain_isABrokenPromise() {
        assertThat(kinds("""
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=100 seen=21
                                90 p2.1.1 granted ask=2 lock=a token=9 remaining=100 seen=91
                                """)).containsExactly(Kind.BROKEN_PROMISE);
    }

    @Test
    void check_grantedOnceTheTimeWasOver_isNoBrokenPromise() {
        assertThat(check("""
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=100 seen=21
                                120 p2.1.1 granted ask=2 lock=a token=9 remaining=100 seen=121
                                """)).isEmpty();
    }

    @Test
    void check_releasedOrToldOfALossBefore_isNoBrokenPromise() {
        for (String end : List.of("releasing", "lost")) {
            assertThat(check("""
                                    20 p1.1.1 granted ask=1 lock=a token=7 remaining=100 seen=21
                                    30 p1.1.1 %s lock=a token=7
                                    90 p2.1.1 granted ask=2 lock=a token=9 remaining=100 seen=91
                                    """.formatted(end))).isEmpty();
        }
    }

    @Test
    void check_promiseOfOneLongAgo_isHeldAgainstLaterOnes() {
        assertThat(kinds("""
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=100 seen=21
                                130 p2.1.1 granted ask=2 lock=a token=8 remaining=1000 seen=131
                                140 p2.1.1 releasing lock=a token=8
                                30 p1.1.1 looked lock=a token=7 state=HELD remaining=400 seen=31
                                150 p3.1.1 granted ask=3 lock=a token=9 remaining=1000 seen=151
                                """)).containsExactly(Kind.BROKEN_PROMISE, Kind.BROKEN_PROMISE);
    }

    // ---- tokens

    @Test
    void check_smallerTokenGrantedLater_isOutOfOrder() {
        assertThat(kinds("""
                                20 p1.1.1 granted ask=1 lock=a token=9 remaining=5 seen=21
                                40 p2.1.1 granted ask=2 lock=a token=7 remaining=5 seen=41
                                """)).containsExactly(Kind.TOKEN_ORDER);
    }

    @Test
    void check_smallerTokenLaterButWorthNothing_isInOrder() {
        assertThat(check("""
                                20 p1.1.1 granted ask=1 lock=a token=9 remaining=5 seen=21
                                40 p2.1.1 granted ask=2 lock=a token=7 remaining=0 seen=41
                                """)).isEmpty();
    }

    @Test
    void check_smallerTokenWhoseLookEndedLate_isInOrder() {
        assertThat(check("""
                                10 p2.1.1 granted ask=2 lock=a token=7 remaining=5 seen=41
                                20 p1.1.1 granted ask=1 lock=a token=9 remaining=5 seen=21
                                """)).isEmpty();
    }

    @Test
    void check_oneTokenForTwo_isOutOfOrder() {
        assertThat(kinds("""
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=21
                                40 p2.1.1 granted ask=2 lock=a token=7 remaining=5 seen=41
                                """)).containsExactly(Kind.TOKEN_ORDER);
    }

    // ---- read/write locks

    @Test
    void check_readersAtOnceAndThenAWriter_isAsItShouldBe() {
        assertThat(check("""
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=100 seen=21 claim=shared
                                30 p2.1.1 granted ask=2 lock=a token=8 remaining=100 seen=31 claim=shared
                                40 p1.1.1 looked lock=a token=7 state=HELD remaining=100 seen=41
                                41 p1.1.1 releasing lock=a token=7
                                42 p2.1.1 looked lock=a token=8 state=HELD remaining=100 seen=43
                                44 p2.1.1 releasing lock=a token=8
                                50 p3.1.1 granted ask=3 lock=a token=9 remaining=100 seen=51
                                """)).isEmpty();
    }

    @Test
    void check_readersInAnotherOrderThanTheirEntries_areInOrder() {
        assertThat(check("""
                                20 p1.1.1 granted ask=1 lock=a token=8 remaining=100 seen=21 claim=shared
                                30 p2.1.1 granted ask=2 lock=a token=7 remaining=100 seen=31 claim=shared
                                """)).isEmpty();
    }

    @Test
    void check_writerBesideAReader_isAnOverlap() {
        String reader = " claim=shared";
        for (boolean first : List.of(true, false)) {
            assertThat(kinds("20 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=21" + (first ? reader : "") + "\n"
                            + "40 p2.1.1 granted ask=2 lock=a token=9 remaining=5 seen=41" + (first ? "" : reader)
                            + "\n"
                            + "42 p1.1.1 looked lock=a token=7 state=HELD remaining=5 seen=43\n"))
                    .contains(Kind.OVERLAP);
        }
    }

    @Test
    void check_readerBetweenTwoWritersThatOverlap_hidesNothing() {
        assertThat(kinds("""
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=21
                                90 p1.1.1 looked lock=a token=7 state=HELD remaining=5 seen=91
                                10 p2.1.1 granted ask=2 lock=a token=6 remaining=5 seen=11 claim=shared
                                95 p2.1.1 looked lock=a token=6 state=HELD remaining=5 seen=96
                                50 p3.1.1 granted ask=3 lock=a token=9 remaining=5 seen=51 claim=shared
                                """).stream().filter(Kind.OVERLAP::equals)).hasSize(2);
    }

    @Test
    void check_writerGrantedWhileAFrozenReaderWasStillCertain_isABrokenPromise() {
        String reader = "20 p1.1.1 granted ask=1 lock=a token=7 remaining=100 seen=21 claim=shared\n";
        assertThat(kinds(reader + "90 p2.1.1 granted ask=2 lock=a token=9 remaining=100 seen=91\n"))
                .containsExactly(Kind.BROKEN_PROMISE);
        assertThat(check(reader + "90 p2.1.1 granted ask=2 lock=a token=9 remaining=100 seen=91 claim=shared\n"))
                .isEmpty();
    }

    @Test
    void check_readerGrantedWhileAFrozenWriterWasStillCertain_isABrokenPromise() {
        assertThat(kinds("""
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=100 seen=21
                                90 p2.1.1 granted ask=2 lock=a token=9 remaining=100 seen=91 claim=shared
                                """)).containsExactly(Kind.BROKEN_PROMISE);
    }

    @Test
    void check_writerWithASmallerTokenThanAReaderBefore_isOutOfOrder() {
        assertThat(kinds("""
                                20 p1.1.1 granted ask=1 lock=a token=9 remaining=5 seen=21 claim=shared
                                40 p2.1.1 granted ask=2 lock=a token=7 remaining=5 seen=41
                                """)).containsExactly(Kind.TOKEN_ORDER);
    }

    /** A writer that goes on as a reader, after what another one sees between two moments. */
    private static String downgraded(String between) {
        return """
                20 p1.1.1 granted ask=1 lock=a token=7 remaining=100 seen=21
                30 p1.1.1 releasing lock=a token=7
                %s
                40 p1.1.1 granted ask=1 lock=a token=7 remaining=100 seen=41 claim=shared
                60 p1.1.1 looked lock=a token=7 state=HELD remaining=100 seen=61
                62 p1.1.1 releasing lock=a token=7
                """.formatted(between).replaceAll("\n+", "\n");
    }

    @Test
    void check_downgradedWriter_keepsWritersOutAndLetsReadersIn() {
        assertThat(check(downgraded(""))).isEmpty();
        assertThat(check(downgraded("") + "50 p2.1.1 granted ask=2 lock=a token=8 remaining=5 seen=51 claim=shared\n"))
                .isEmpty();
        assertThat(kinds(downgraded("") + "50 p2.1.1 granted ask=2 lock=a token=8 remaining=5 seen=51\n"))
                .contains(Kind.OVERLAP);
    }

    @Test
    void check_writerGrantedInTheMiddleOfADowngrade_isOutOfOrder() {
        assertThat(kinds(downgraded("32 p2.1.1 granted ask=2 lock=a token=8 remaining=1 seen=33")))
                .containsExactly(Kind.TOKEN_ORDER);
    }

    @Test
    void check_sameTokenTwiceForOneThatWasNoWriter_isOutOfOrder() {
        assertThat(kinds("""
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=21 claim=shared
                                30 p1.1.1 releasing lock=a token=7
                                40 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=41 claim=shared
                                """)).containsExactly(Kind.TOKEN_ORDER);
    }

    // ---- cohorts

    private static final String COHORT = " hand-overs=1 at-least=0 after-loss=0\n";

    /** Two owners of one place, the second of which does something at the end. */
    private static String turns(String end) {
        return """
                20 p1.1.1 granted ask=1 lock=a token=7 remaining=100 seen=21
                22 p1.1.1 attempted write=w1 lock=a token=7 value=1 read=
                24 p1.1.1 applied write=w1
                30 p1.1.1 releasing lock=a token=7
                40 p1.1.2 granted ask=2 lock=a token=7/1 remaining=100 seen=41
                42 p1.1.2 attempted write=w2 lock=a token=7/1 value=2 read=w1
                44 p1.1.2 applied write=w2
                %s
                """.formatted(end).replaceAll("\n+", "\n");
    }

    @Test
    void check_ownersOfOnePlace_takeTurns() {
        assertThat(check(turns("""
                                50 p1.1.2 releasing lock=a token=7/1
                                60 p1.1.1 granted ask=3 lock=a token=7/3 remaining=100 seen=61
                                70 p1.1.1 releasing lock=a token=7/3
                                80 p2.1.1 granted ask=4 lock=a token=8 remaining=100 seen=81
                                """))).isEmpty();
    }

    @Test
    void check_ownersOfOnePlaceAtOnce_areAnOverlap() {
        assertThat(kinds(turns("43 p1.1.1 looked lock=a token=7 state=HELD remaining=5 seen=44")))
                .contains(Kind.OVERLAP);
    }

    @Test
    void check_nextTurnWhileTheFormerOwnerWasStillCertain_isABrokenPromise() {
        assertThat(kinds(turns("46 p1.1.3 granted ask=3 lock=a token=7/2 remaining=100 seen=47")))
                .containsExactly(Kind.BROKEN_PROMISE);
    }

    @Test
    void check_sameOrSmallerTurnGrantedLater_isOutOfOrder() {
        String released = "50 p1.1.2 releasing lock=a token=7/1\n60 p1.1.1 granted ask=3 lock=a token=%s";
        assertThat(kinds(turns(released.formatted("7/1 remaining=100 seen=61"))))
                .containsExactly(Kind.TOKEN_ORDER);
        assertThat(kinds(turns(released.formatted("7/0 remaining=100 seen=61"))))
                .contains(Kind.TOKEN_ORDER);
        assertThat(kinds(turns(released.formatted("6/9 remaining=100 seen=61"))))
                .contains(Kind.TOKEN_ORDER);
    }

    @Test
    void check_writeOfAFormerTurn_isOutOfOrder() {
        assertThat(kinds(turns("""
                                50 p1.1.1 attempted write=w3 lock=a token=7 value=3 read=w2
                                52 p1.1.1 applied write=w3
                                """))).contains(Kind.WRITE_ORDER).containsOnly(Kind.WRITE_ORDER);
        assertThat(check(turns("""
                                50 p1.1.1 attempted write=w3 lock=a token=7 value=3 read=w2
                                52 p1.1.1 refused write=w3
                                """))).isEmpty();
    }

    @Test
    void check_eventsOfOneTurn_concernNoOther() {
        assertThat(kinds("5 nemesis fault kind=client_frozen target=p1.1 costs=any\n" + turns("""
                                50 p1.1.2 looked lock=a token=7/1 state=LOST remaining=0 seen=51
                                52 p1.1.2 lost lock=a token=7
                                54 p1.1.2 releasing lock=a token=7/1
                                """)))
                .containsExactly(Kind.SILENT_LOSS);
    }

    /** A place with three owners, before which another entry, {@code a} with token 8, was made by some moment. */
    private static String threeTurns(String otherToken, long otherGranted) {
        String places = """
                10 p3.1.1 granted ask=1 lock=a token=5 remaining=8 seen=11%1$s
                18 p3.1.1 looked lock=a token=5 state=HELD remaining=1 seen=19
                20 p3.1.1 releasing lock=a token=5
                30 p1.1.1 granted ask=2 lock=a token=7 remaining=100 seen=31%1$s
                32 p1.1.1 releasing lock=a token=7
                40 p1.1.2 granted ask=3 lock=a token=7/1 remaining=100 seen=41%1$s
                42 p1.1.2 releasing lock=a token=7/1
                50 p1.1.1 granted ask=4 lock=a token=7/2 remaining=100 seen=51%1$s
                52 p1.1.1 releasing lock=a token=7/2
                60 p2.1.1 granted ask=5 lock=a token=8 remaining=100 seen=61%1$s
                """.formatted(COHORT).replaceAll("\n+", "\n");
        return places + otherGranted + " p2.1.2 granted ask=6 lock=b token=" + otherToken + " remaining=5 seen="
                + (otherGranted + 1) + "\n";
    }

    @Test
    void check_moreHandOversThanAgreedWhileAnotherStood_areTooMany() {
        assertThat(kinds(threeTurns("9", 16))).containsExactly(Kind.TOO_MANY_HAND_OVERS);
        assertThat(check(threeTurns("9", 16).replace("hand-overs=1", "hand-overs=2")))
                .isEmpty();
    }

    @Test
    void check_moreHandOversWhileAnotherMayNotHaveStood_areAllowed() {
        // Whether the entry with token 8 was made before the hold with token 5 was released is not known.
        assertThat(check(threeTurns("9", 18))).isEmpty();
        assertThat(check(threeTurns("6", 16))).isEmpty();
    }

    // ---- locks that rest between two holds

    private static final String RESTS = " hand-overs=0 at-least=1000000000 after-loss=0\n";

    /** Two holds of a lock that must be held for a second at least, with these times in milliseconds. */
    private static String held(long asked, long granted, long next) {
        return asked + "000000 p1.1.1 asked ask=1 lock=a how=PATIENTLY\n"
                + granted + "000000 p1.1.1 granted ask=1 lock=a token=7 remaining=100 seen=" + granted + "000001"
                + RESTS
                + granted + "000002 p1.1.1 releasing lock=a token=7\n"
                + next + "000000 p2.1.1 granted ask=2 lock=a token=8 remaining=100 seen=" + next + "000001" + RESTS
                + next + "000002 p2.1.1 releasing lock=a token=8\n";
    }

    @Test
    void check_grantedBeforeTheLockWasHeldForLongEnough_isAShortRest() {
        assertThat(kinds(held(100, 150, 1070))).containsExactly(Kind.SHORT_REST);
        assertThat(check(held(100, 150, 1110))).isEmpty();
    }

    @Test
    void check_grantThatMayHaveBeenLongBeforeItsHolderKnew_isNoShortRest() {
        assertThat(check(held(100, 1500, 1600))).isEmpty();
    }

    @Test
    void check_grantedAfterTheOneBeforeWasLastSeen_hasThatForItsBeginning() {
        String before =
                "400000000 p3.1.1 asked ask=3 lock=a how=PATIENTLY\n900000000 p3.1.1 granted ask=3 lock=a token=5 remaining=9 seen=900000001"
                        + RESTS + "900000003 p3.1.1 releasing lock=a token=5\n";
        assertThat(kinds(before + held(100, 1500, 1600))).containsExactly(Kind.SHORT_REST);
    }

    @Test
    void check_shortRestWhileClientsClocksWereMoved_countsIfTheHolderWentOnAndNothingElseWasWrong() {
        String moved = "50000000 nemesis fault kind=client's_wall_clock_moved target=p2.1_by_PT1H costs=any\n";
        String wentOn = "1300000000 p1.1.1 asked ask=3 lock=b how=AT_ONCE\n1300000001 p1.1.1 gave-up ask=3 why=x\n";
        String frozen = "60000000 nemesis fault kind=client_frozen target=p1.1 costs=any\n";

        assertThat(check(moved + held(100, 150, 1050))).isEmpty();
        assertThat(kinds(moved + wentOn + held(100, 150, 1050))).containsExactly(Kind.SHORT_REST);
        assertThat(check(moved + frozen + wentOn + held(100, 150, 1050))).isEmpty();
        assertThat(kinds(frozen + held(100, 150, 1050))).containsExactly(Kind.SHORT_REST);
        assertThat(kinds(moved + "80000000 nemesis healed round=1\n" + held(100, 150, 1050)))
                .contains(Kind.SHORT_REST);
    }

    /** A hold that its holder was sure of until 600 ms, what became of it, and when the next one was granted. */
    private static String notReleased(String end, long next) {
        return """
                5 nemesis fault kind=client_killed target=p1.1 costs=any
                100000000 p1.1.1 granted ask=1 lock=a token=7 remaining=100 seen=100000001%1$s
                200000000 p1.1.1 looked lock=a token=7 state=HELD remaining=400000000 seen=200000001
                %2$s
                %3$d000000 p2.1.1 granted ask=2 lock=a token=8 remaining=100 seen=%3$d000001%1$s
                %3$d000002 p2.1.1 releasing lock=a token=8
                """.formatted(" hand-overs=0 at-least=0 after-loss=1000000000", end, next);
    }

    @Test
    void check_grantedSoonAfterAHolderWasKilled_isAShortRest() {
        String killed = "300000000 fleet killed process=p1.1";
        assertThat(kinds(notReleased(killed, 1_570))).containsExactly(Kind.SHORT_REST);
        assertThat(check(notReleased(killed, 1_610))).isEmpty();
    }

    @Test
    void check_grantedSoonAfterALoss_isAShortRest() {
        String lost = """
                %1$d00000000 p1.1.1 looked lock=a token=7 state=LOST remaining=0 seen=%1$d00000001
                %1$d00000002 p1.1.1 lost lock=a token=7
                %1$d00000003 p1.1.1 releasing lock=a token=7""";
        assertThat(kinds(notReleased(lost.formatted(7), 1_570))).containsExactly(Kind.SHORT_REST);
        assertThat(check(notReleased(lost.formatted(7), 1_610))).isEmpty();
        // The entry may have gone at any time since the holder was last seen to hold.
        assertThat(check(notReleased(lost.formatted(3), 1_210))).isEmpty();
        assertThat(kinds(notReleased(lost.formatted(3), 1_170))).containsExactly(Kind.SHORT_REST);
    }

    @Test
    void check_grantedSoonAfterARelease_isNoShortRest() {
        String killedLater = "300000000 p1.1.1 releasing lock=a token=7\n300000001 fleet killed process=p1.1";
        assertThat(check(notReleased(killedLater, 301))).isEmpty();
    }

    @Test
    void check_grantedSoonAfterALossWhileClientsClocksWereMoved_isExcused() {
        assertThat(check("6 nemesis fault kind=client's_wall_clock_moved target=p2.1_by_PT1H costs=any\n"
                        + notReleased("300000000 fleet killed process=p1.1", 610)))
                .isEmpty();
    }

    @Test
    void check_lockThatRestsAfterHealing_isAvailableOnceThatIsOver() {
        String lines = """
                10 p2.1.1 asked ask=2 lock=a how=PATIENTLY
                400 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=401 hand-overs=0 at-least=3000 after-loss=0
                410 p1.1.1 releasing lock=a token=7
                500 nemesis healed round=1
                %1$d p2.1.1 granted ask=2 lock=a token=9 remaining=5 seen=%1$d
                """;
        assertThat(check(lines.formatted(4_400))).isEmpty();
        assertThat(kinds(lines.formatted(4_500))).containsExactly(Kind.UNAVAILABLE);
    }

    // ---- semaphores

    @Test
    void check_permitsThatFit_areAsTheyShouldBe() {
        assertThat(check("""
                                20 p1.1.1 granted ask=1 lock=s token=7 remaining=100 seen=21 permits=2 size=3
                                30 p2.1.1 granted ask=2 lock=s token=6 remaining=100 seen=31 permits=1 size=3
                                40 p1.1.1 releasing lock=s token=7
                                50 p3.1.1 granted ask=3 lock=s token=9 remaining=100 seen=51 permits=2 size=3
                                """)).isEmpty();
    }

    @Test
    void check_morePermitsThanThereAre_areTooMany() {
        assertThat(kinds("""
                                20 p1.1.1 granted ask=1 lock=s token=7 remaining=100 seen=21 permits=1 size=3
                                30 p2.1.1 granted ask=2 lock=s token=8 remaining=100 seen=31 permits=1 size=3
                                50 p3.1.1 granted ask=3 lock=s token=9 remaining=100 seen=51 permits=2 size=3
                                """)).containsExactly(Kind.TOO_MANY_PERMITS);
    }

    @Test
    void check_permitsOfOneWhoseTimeIsOverOrWhoWasToldOfALoss_countNoMore() {
        for (String end : List.of("120 p1.1.1 looked lock=s token=7 state=JEOPARDY remaining=0 seen=121", """
                5 nemesis fault kind=client_frozen target=p1.1 millis=1 round=1
                60 p1.1.1 lost lock=s token=7""")) {
            assertThat(check("""
                                    20 p1.1.1 granted ask=1 lock=s token=7 remaining=50 seen=21 permits=3 size=3
                                    %s
                                    70 p3.1.1 granted ask=3 lock=s token=9 remaining=100 seen=71 permits=3 size=3
                                    """.formatted(end))).isEmpty();
        }
    }

    @Test
    void check_permitsWhoseFirstLookTookLongerThanTheirTime_mayHaveBeenOverBefore() {
        assertThat(check("""
                                20 p1.1.1 granted ask=1 lock=s token=7 remaining=5 seen=60 permits=3 size=3
                                40 p3.1.1 granted ask=3 lock=s token=9 remaining=100 seen=41 permits=3 size=3
                                """)).isEmpty();
    }

    // ---- several locks

    @Test
    void check_oneLockOfSeveralBesideAnother_isAnOverlap() {
        assertThat(kinds("""
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=21
                                22 p1.1.1 granted ask=1 lock=b token=8 remaining=5 seen=23
                                40 p2.1.1 granted ask=2 lock=b token=9 remaining=5 seen=41
                                42 p1.1.1 looked lock=b token=8 state=HELD remaining=5 seen=43
                                """)).contains(Kind.OVERLAP);
    }

    @Test
    void check_lockThatWasTakenAsAPart_isAvailableThoughItsHolderWaitsForAnother() {
        String taken = """
                10 p1.1.1 asked ask=1 lock=a how=PATIENTLY
                10 p2.1.1 asked ask=2 lock=a how=PATIENTLY
                500 nemesis healed round=1
                600 p1.1.1 taken ask=1 lock=a token=7
                """;
        assertThat(check(taken + """
                                2600 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=2601
                                2600 p1.1.1 granted ask=1 lock=b token=9 remaining=5 seen=2601
                                2700 p1.1.1 releasing lock=a token=7
                                2700 p1.1.1 gone lock=a token=7
                                2701 p2.1.1 granted ask=2 lock=a token=10 remaining=5 seen=2702
                                """)).isEmpty();
        assertThat(kinds(taken.replace("600 p1.1.1", "1600 p1.1.1") + "1700 p2.1.1 gave-up ask=2\n"))
                .contains(Kind.UNAVAILABLE);
    }

    @Test
    void check_partThatWasGivenBackOrWhoseTakerWasKilled_isFreeAgain() {
        String taken = """
                10 p2.1.1 asked ask=2 lock=a how=PATIENTLY
                400 p1.1.1 taken ask=1 lock=a token=7
                500 nemesis healed round=1
                %s
                2600 p2.1.1 granted ask=2 lock=a token=9 remaining=5 seen=2601
                """;
        assertThat(kinds(taken.formatted("600 p1.1.1 gone lock=a token=7"))).containsExactly(Kind.UNAVAILABLE);
        assertThat(kinds(taken.formatted("600 fleet killed process=p1.1"))).containsExactly(Kind.UNAVAILABLE);
        assertThat(check(taken.formatted("2500 p1.1.1 gone lock=a token=7"))).isEmpty();
    }

    @Test
    void check_writerThatGoesOnAsAReader_isNoGrantAfterHealing() {
        assertThat(kinds("""
                                10 p2.1.1 asked ask=2 lock=a how=PATIENTLY
                                400 p1.1.1 granted ask=1 lock=a token=7 remaining=50 seen=401
                                410 p1.1.1 releasing lock=a token=7
                                500 nemesis healed round=1
                                600 p1.1.1 granted ask=1 lock=a token=7 remaining=50 seen=601 claim=shared
                                610 p1.1.1 releasing lock=a token=7
                                2600 p2.1.1 granted ask=2 lock=a token=9 remaining=5 seen=2601
                                """)).containsExactly(Kind.UNAVAILABLE);
    }

    // ---- writes

    @Test
    void check_smallerTokenWrittenAfterALarger_isOutOfOrder() {
        assertThat(kinds("""
                                20 p2.1.1 attempted write=w2 lock=a token=9 value=1 read=
                                21 p2.1.1 applied write=w2
                                30 p1.1.1 attempted write=w1 lock=a token=7 value=2 read=w2
                                31 p1.1.1 applied write=w1
                                """)).contains(Kind.WRITE_ORDER).containsOnly(Kind.WRITE_ORDER);
    }

    @Test
    void check_smallerTokenLeftALaterValueAtTheSameTime_isOutOfOrder() {
        assertThat(kinds("""
                                20 p2.1.1 attempted write=w2 lock=a token=9 value=1 read=
                                20 p1.1.1 attempted write=w1 lock=a token=7 value=2 read=w2
                                40 p2.1.1 applied write=w2
                                40 p1.1.1 applied write=w1
                                """)).containsExactly(Kind.WRITE_ORDER);
    }

    @Test
    void check_smallerTokenRefusedAfterALarger_isInOrder() {
        assertThat(check("""
                                20 p2.1.1 attempted write=w2 lock=a token=9 value=1 read=
                                21 p2.1.1 applied write=w2
                                30 p1.1.1 attempted write=w1 lock=a token=7 value=2 read=w2
                                31 p1.1.1 refused write=w1
                                """)).isEmpty();
    }

    @Test
    void check_smallerTokenAcknowledgedLateButWrittenBefore_isInOrder() {
        assertThat(check("""
                                20 p1.1.1 attempted write=w1 lock=a token=7 value=1 read=
                                30 p2.1.1 attempted write=w2 lock=a token=9 value=2 read=w1
                                31 p2.1.1 applied write=w2
                                90 p1.1.1 applied write=w1
                                """)).isEmpty();
    }

    @Test
    void check_twoWritesOfOneValue_isALostUpdate() {
        assertThat(kinds("""
                                20 p1.1.1 attempted write=w1 lock=a token=7 value=1 read=
                                21 p1.1.1 applied write=w1
                                30 p2.1.1 attempted write=w2 lock=a token=9 value=1 read=
                                31 p2.1.1 applied write=w2
                                """)).containsExactly(Kind.LOST_UPDATE);
    }

    @Test
    void check_counterBelowWhatWasApplied_isALostUpdate() {
        assertThat(kinds(GOOD.replace(
                        "counted lock=a value=2 write=p2.1.1/w1", "counted lock=a value=1 write=p1.1.1/w1")))
                .containsExactly(Kind.LOST_UPDATE);
        assertThat(kinds(GOOD.replace("counted lock=a value=2 write=p2.1.1/w1", "counted lock=a value=0 write=")))
                .containsExactly(Kind.LOST_UPDATE);
    }

    @Test
    void check_counterAboveWhatMayHaveBeenApplied_isALostUpdate() {
        assertThat(kinds(GOOD.replace("counted lock=a value=2", "counted lock=a value=3")))
                .containsOnly(Kind.LOST_UPDATE);
    }

    @Test
    void check_valueThatNobodyWrote_isALostUpdate() {
        assertThat(kinds("""
                                20 p1.1.1 attempted write=w1 lock=a token=7 value=2 read=
                                21 p1.1.1 applied write=w1
                                22 p1.1.1 attempted write=w2 lock=a token=7 value=3 read=w1
                                61 audit counted lock=a value=2 write=w1
                                """)).containsExactly(Kind.LOST_UPDATE);
    }

    @Test
    void check_unknownWrite_mayCountOrNot() {
        String unknown = """
                20 p1.1.1 attempted write=w1 lock=a token=7 value=1 read=
                21 p1.1.1 unknown write=w1 why=OutcomeUnknownException
                """;
        String neverAnswered = "20 p1.1.1 attempted write=w1 lock=a token=7 value=1 read=\n";
        for (String write : List.of(unknown, neverAnswered)) {
            assertThat(check(write + "61 audit counted lock=a value=1 write=w1\n"))
                    .isEmpty();
            assertThat(check(write + "61 audit counted lock=a value=0 write=\n"))
                    .isEmpty();
            assertThat(kinds(write + "61 audit counted lock=a value=2 write=w1\n"))
                    .contains(Kind.LOST_UPDATE);
        }
    }

    @Test
    void check_refusedWriteThatWasReadLater_isAFalseOutcome() {
        for (String outcome : List.of("refused write=w1", "failed write=w1 why=StoreUnavailableException")) {
            String write = """
                    20 p1.1.1 attempted write=w1 lock=a token=7 value=1 read=
                    21 p1.1.1 %s
                    """.formatted(outcome);
            assertThat(kinds(write + "30 p2.1.1 attempted write=w2 lock=a token=9 value=2 read=w1\n"))
                    .containsExactly(Kind.FALSE_OUTCOME);
            assertThat(kinds(write + "61 audit counted lock=a value=1 write=w1\n"))
                    .contains(Kind.FALSE_OUTCOME);
        }
    }

    // ---- availability

    @Test
    void check_noGrantAfterHealing_isUnavailable() {
        String asked = "10 p1.1.1 asked ask=1 lock=a how=PATIENTLY\n500 nemesis healed round=1\n";
        assertThat(kinds(asked + "1600 audit left lock=a entries=0\n")).contains(Kind.UNAVAILABLE);
        assertThat(kinds(asked + "1600 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=1601\n"))
                .containsExactly(Kind.UNAVAILABLE);
        assertThat(check(asked + "1400 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=1401\n"))
                .isEmpty();
    }

    @Test
    void check_oneLockOfTwoNotGrantedAfterHealing_isUnavailable() {
        assertThat(kinds("""
                                10 p1.1.1 asked ask=1 lock=a how=PATIENTLY
                                10 p1.1.2 asked ask=2 lock=b how=PATIENTLY
                                500 nemesis healed round=1
                                600 p1.1.2 granted ask=2 lock=b token=9 remaining=5 seen=601
                                1700 p1.1.1 granted ask=1 lock=a token=9 remaining=5 seen=1701
                                """)).containsExactly(Kind.UNAVAILABLE);
    }

    @Test
    void check_lockThatIsHeldOrNotWantedAfterHealing_isAvailable() {
        assertThat(check("""
                                10 p1.1.1 asked ask=1 lock=a how=PATIENTLY
                                20 p1.1.1 granted ask=1 lock=a token=7 remaining=1 seen=21
                                30 p1.1.2 asked ask=2 lock=a how=PATIENTLY
                                500 nemesis healed round=1
                                3000 p1.1.1 looked lock=a token=7 state=HELD remaining=1 seen=3001
                                3002 p1.1.1 releasing lock=a token=7
                                3003 p1.1.2 granted ask=2 lock=a token=8 remaining=1 seen=3004
                                3005 p1.1.2 releasing lock=a token=8
                                3006 nemesis healed round=2
                                9000 p1.1.2 asked ask=3 lock=a how=PATIENTLY
                                9001 p1.1.2 granted ask=3 lock=a token=9 remaining=1 seen=9002
                                """)).isEmpty();
    }

    @Test
    void waitsAfterHealing_untilEachLockIsGranted_areMeasured() {
        RunHistory history = RunHistory.of("""
                400 p1.1.2 asked ask=1 lock=b how=PATIENTLY
                400 p1.1.3 asked ask=3 lock=c how=PATIENTLY
                500 nemesis healed round=1
                550 p1.1.1 asked ask=2 lock=a how=PATIENTLY
                600 p1.1.2 granted ask=1 lock=b token=9 remaining=5 seen=601
                800 p1.1.1 granted ask=2 lock=a token=7 remaining=5 seen=801
                1000 p1.1.1 releasing lock=a token=7
                """.lines().toList());

        assertThat(Checker.waitsAfterHealing(history))
                .containsExactly(Duration.ofNanos(251), Duration.ofNanos(101), Duration.ofNanos(500));
    }

    // ---- the end

    @Test
    void check_askedAndNeverAnswered_waitsForever() {
        assertThat(kinds("10 p1.1.1 asked ask=1 lock=a how=PATIENTLY\n")).containsExactly(Kind.WAITS_FOREVER);
    }

    @Test
    void check_askedByOneThatWasKilledOrGaveUp_waitsNoLonger() {
        assertThat(check("10 p1.1.1 asked ask=1 lock=a how=PATIENTLY\n12 fleet killed process=p1.1\n"))
                .isEmpty();
        assertThat(check("10 p1.1.1 asked ask=1 lock=a how=PATIENTLY\n12 p1.1.1 gave-up ask=1 why=in-vain\n"))
                .isEmpty();
    }

    @Test
    void check_askedByTheOneThatTookTheKilledOnesPlace_waitsForever() {
        assertThat(kinds("12 fleet killed process=p1.1\n20 p1.2.1 asked ask=1 lock=a how=PATIENTLY\n"))
                .containsExactly(Kind.WAITS_FOREVER);
    }

    @Test
    void check_entryLeft_isFound() {
        assertThat(kinds("60 audit left lock=a entries=1\n")).containsExactly(Kind.LEFT_ENTRY);
    }

    @Test
    void check_lossThatNobodyTold_isSilent() {
        String lost = """
                5 nemesis fault kind=client_frozen target=p1.1 millis=1 round=1
                20 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=21
                42 p1.1.1 looked lock=a token=7 state=LOST remaining=0 seen=43
                %s
                90 p1.1.1 releasing lock=a token=7
                """;
        assertThat(kinds(lost.replace("%s\n", ""))).containsExactly(Kind.SILENT_LOSS);
        assertThat(check(lost.formatted("50 p1.1.1 lost lock=a token=7"))).isEmpty();
    }

    // ---- what faults may cost

    /** A hold of lock {@code a} that is lost at 500, after what is said of the nemesis. */
    private static List<Kind> lostAfter(String nemesis) {
        return kinds(nemesis + """
                420 p1.1.1 granted ask=1 lock=a token=7 remaining=5 seen=421
                500 p1.1.1 looked lock=a token=7 state=LOST remaining=0 seen=501
                502 p1.1.1 lost lock=a token=7
                503 p1.1.1 releasing lock=a token=7
                """);
    }

    @Test
    void check_lossWithoutAFault_isNeedless() {
        assertThat(lostAfter("")).containsExactly(Kind.NEEDLESS_LOSS);
        assertThat(lostAfter("600 nemesis fault kind=leader_killed target=x costs=any\n"))
                .containsExactly(Kind.NEEDLESS_LOSS);
    }

    @Test
    void check_lossWhileAFaultLastsOrSoonAfter_isExplained() {
        String fault = "200 nemesis fault kind=leader_killed target=x costs=any\n";
        assertThat(lostAfter(fault)).isEmpty();
        assertThat(lostAfter(fault + "300 nemesis healed round=1\n")).isEmpty();
        assertThat(lostAfter(fault + "299 nemesis healed round=1\n")).containsExactly(Kind.NEEDLESS_LOSS);
    }

    @Test
    void check_lossWhileWhatCostsNoHoldLasts_isNeedless() {
        assertThat(lostAfter("450 nemesis fault kind=space_used_up target=servers costs=none\n"))
                .containsExactly(Kind.NEEDLESS_LOSS);
    }

    @Test
    void check_lossWhileAPermissionIsRevoked_isExplainedForItsLockOnly() {
        String fault = "450 nemesis fault kind=permission_to_write_revoked target=%1$s costs=holds_of_%1$s\n";
        assertThat(lostAfter(fault.formatted("a"))).isEmpty();
        assertThat(lostAfter(fault.formatted("b"))).containsExactly(Kind.NEEDLESS_LOSS);
    }

    @Test
    void check_clientThatFailedOrDied_isTrouble() {
        for (String line : List.of(
                "5 p1.1.1 trouble why=NullPointerException",
                "5 fleet died process=p1.1",
                "5 fleet unfinished process=p1.1")) {
            assertThat(kinds(line + "\n")).containsExactly(Kind.TROUBLE);
        }
    }

    private static List<Violation> check(String lines) {
        return new Checker(BOUND, TTL, true).check(RunHistory.of(lines.lines().toList()));
    }

    private static List<Kind> kinds(String lines) {
        return check(lines).stream().map(Violation::kind).toList();
    }
}
