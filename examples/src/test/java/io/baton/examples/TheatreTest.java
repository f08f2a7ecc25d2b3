package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Subscription;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TheatreTest {

    @Test
    void reserve_twice_isTheFirstCustomers() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect("mem:seats-reserve")) {
            Theatre seats = new Theatre(baton);

            assertThat(seats.reserve("a1", "ann")).isTrue();
            assertThat(seats.reserve("a1", "bob")).isFalse();

            assertThat(baton.records("seats").get("a1").orElseThrow().text()).isEqualTo("ann");
        }
    }

    @Test
    void pass_takenAndFree_writesOnlyWhatIsTaken() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect("mem:seats-pass")) {
            Theatre seats = new Theatre(baton);
            seats.reserve("a1", "ann");

            assertThat(seats.pass("a1", "bob")).isTrue();
            assertThat(seats.pass("a2", "bob")).isFalse();

            assertThat(baton.records("seats").get("a1").orElseThrow().text()).isEqualTo("bob");
            assertThat(baton.records("seats").get("a2")).isEmpty();
        }
    }

    @Test
    void move_toATakenAndToAFreeSeat_movesWholeOrNotAtAll() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect("mem:seats-move")) {
            Theatre seats = new Theatre(baton);
            seats.reserve("a1", "ann");
            seats.reserve("a2", "bob");

            assertThat(seats.move("a1", "a2")).isFalse();
            assertThat(baton.records("seats").get("a1")).isPresent();
            assertThat(seats.move("a1", "a3")).isTrue();
            assertThat(seats.move("a1", "a4")).isFalse();

            assertThat(baton.records("seats").get("a1")).isEmpty();
            assertThat(baton.records("seats").get("a3").orElseThrow().text()).isEqualTo("ann");
        }
    }

    @Test
    void taken_seatsOfSeveralRows_countsThoseOfTheRow() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect("mem:seats-taken")) {
            Theatre seats = new Theatre(baton);
            for (String seat : List.of("a1", "a2", "b1")) {
                assertThat(seats.reserve(seat, "ann")).isTrue();
            }

            assertThat(seats.taken("a")).isEqualTo(2);
            assertThat(seats.taken("c")).isZero();
        }
    }

    @Test
    void follow_changesAndDeletions_keepsTheRowAsItIs() throws InterruptedException {
        Map<String, String> row = new ConcurrentHashMap<>();
        try (Coordinator baton = Coordinator.connect("mem:seats-follow")) {
            Theatre seats = new Theatre(baton);
            seats.reserve("a1", "ann");
            seats.reserve("b1", "eve");
            try (Subscription following = seats.follow("a", row)) {
                await().until(() -> row.equals(Map.of("a1", "ann")));

                seats.reserve("a2", "bob");
                seats.move("a1", "a3");

                await().until(() -> row.equals(Map.of("a2", "bob", "a3", "ann")));
                assertThat(following).isNotNull();
            }
        }
    }
}
