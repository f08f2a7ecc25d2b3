package io.baton.chaos.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.chaos.history.Event;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ObserverCheckTest {

    private static final Event FIRST = Event.parse("100 p1-1.1 elected term=5 remaining=9");
    private static final Event SECOND = Event.parse("200 p2-1.1 elected term=7 remaining=9");
    private static final Event THIRD = Event.parse("300 p3-1.1 elected term=9 remaining=9");

    @Test
    void check_allSeen_findsNothing() {
        ObserverCheck sights = check(
                List.of(),
                "101 p4-1 saw term=5 id=p1-1.1",
                "150 p4-1 saw term= id=",
                "201 p4-1 saw term=7 id=p2-1.1",
                "301 p4-1 saw term=9 id=p3-1.1");

        assertThat(sights.violations()).isEmpty();
        assertThat(sights.expected()).isEqualTo(2);
    }

    @Test
    void check_leaderNotSeen_isFound() {
        ObserverCheck sights = check(
                List.of(), "99 p4-1 read took=60", "101 p4-1 saw term=5 id=p1-1.1", "301 p4-1 saw term=9 id=p3-1.1");

        assertThat(sights.violations()).singleElement().asString().contains("was not told of 200 p2-1.1");
    }

    @Test
    void check_leaderNotSeenWhoLedForLessThanARead_isCounted() {
        ObserverCheck sights = check(
                List.of(), "99 p4-1 read took=100", "101 p4-1 saw term=5 id=p1-1.1", "301 p4-1 saw term=9 id=p3-1.1");

        assertThat(sights.violations()).isEmpty();
        assertThat(sights.tooShort()).isEqualTo(1);
    }

    @Test
    void check_leaderNotSeenWithoutContact_isNotExpected() {
        ObserverCheck sights = check(
                List.of(new Succession(Cause.CUT_OFF, 150, Event.parse("100 p4-1.1 elected term=5"), SECOND, 250)),
                "101 p4-1 saw term=5 id=p1-1.1",
                "301 p4-1 saw term=9 id=p3-1.1");

        assertThat(sights.violations()).isEmpty();
        assertThat(sights.expected()).isZero();
    }

    @Test
    void check_toldTwiceOrInTheWrongOrderOrUnderAnotherName_isFound() {
        assertThat(check(List.of(), "101 p4-1 saw term=9 id=p3-1.1", "301 p4-1 saw term=9 id=p3-1.1")
                        .violations())
                .hasSize(1);
        assertThat(check(List.of(), "101 p4-1 saw term=9 id=p3-1.1", "301 p4-1 saw term=7 id=p2-1.1")
                        .violations())
                .hasSize(1);
        assertThat(check(List.of(), "301 p4-1 saw term=9 id=p1-1.1").violations())
                .hasSize(1);
        assertThat(check(List.of(), "101 p4-1 saw term=9 id=p3-1.1", "301 p4-1 saw term= id=", "302 p4-1 saw term= id=")
                        .violations())
                .hasSize(1);
    }

    private static ObserverCheck check(List<Succession> successions, String... lines) {
        Stream<Event> told = Stream.of(lines).map(Event::parse);
        return ObserverCheck.check(
                Stream.concat(Stream.of(FIRST, SECOND, THIRD), told).toList(), successions, 1_000);
    }
}
