package io.baton.chaos.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.chaos.history.Event;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LeaderCheckTest {

    @Test
    void check_allAsItShouldBe_findsNothing() {
        assertThat(check(
                        Cause.CUT_OFF,
                        "10 p1-1.1 elected term=5 remaining=9",
                        "11 p1-1.1 attempted write=5/1 term=5",
                        "12 p1-1.1 applied write=5/1 term=5",
                        "18 p1-1.1 stopped term=5 reason=JEOPARDY remaining=1",
                        "20 p2-1.1 elected term=7 remaining=9",
                        "21 p1-1.1 attempted write=5/2 term=5",
                        "22 p1-1.1 refused write=5/2 term=5"))
                .isEmpty();
    }

    @Test
    void check_termDoesNotRise_isFound() {
        assertThat(check(
                        Cause.RESIGNED, "10 p1-1.1 elected term=5 remaining=9", "20 p2-1.1 elected term=5 remaining=9"))
                .singleElement()
                .asString()
                .contains("does not rise");
    }

    @Test
    void check_stopsAfterItsDeadline_isFound() {
        assertThat(check(
                        Cause.CUT_OFF,
                        "10 p1-1.1 elected term=5 remaining=9",
                        "18 p1-1.1 stopped term=5 reason=LOST remaining=0",
                        "20 p2-1.1 elected term=7 remaining=9"))
                .singleElement()
                .asString()
                .contains("after its deadline");
    }

    @Test
    void check_stopsAfterTheNextHasBegun_isFound() {
        assertThat(check(
                        Cause.CUT_OFF,
                        "10 p1-1.1 elected term=5 remaining=9",
                        "20 p2-1.1 elected term=7 remaining=9",
                        "21 p1-1.1 stopped term=5 reason=JEOPARDY remaining=1"))
                .singleElement()
                .asString()
                .contains("after the next had begun");
    }

    @Test
    void check_frozenLeaderStopsLate_isNoViolation() {
        assertThat(check(
                        Cause.FROZEN,
                        "10 p1-1.1 elected term=5 remaining=9",
                        "20 p2-1.1 elected term=7 remaining=9",
                        "21 p1-1.1 stopped term=5 reason=LOST remaining=0"))
                .isEmpty();
    }

    @Test
    void check_formerLeaderWrites_isFound() {
        assertThat(check(
                        Cause.FROZEN,
                        "10 p1-1.1 elected term=5 remaining=9",
                        "20 p2-1.1 elected term=7 remaining=9",
                        "21 p1-1.1 attempted write=5/2 term=5",
                        "22 p1-1.1 applied write=5/2 term=5"))
                .singleElement()
                .asString()
                .contains("former leader");
    }

    private static List<String> check(Cause deed, String... lines) {
        List<Event> events = Stream.of(lines).map(Event::parse).toList();
        Event first = events.get(0);
        return LeaderCheck.check(events, List.of(new Succession(deed, 15, first, first, 20)));
    }
}
