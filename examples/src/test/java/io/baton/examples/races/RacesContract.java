package io.baton.examples.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Each race shows without its protection, and does not with it: on each database, with locks in memory. */
@Timeout(180)
abstract class RacesContract {

    private static final RaceRules TWO_TRANSFERS = new RaceRules(2, 100, 100, false, Duration.ZERO, false);
    private static final RaceRules SALE = new RaceRules(10, 60, 1, true, Duration.ofMillis(1), false);
    private static final RaceRules SALE_WHILE_ONE_IS_FROZEN = new RaceRules(10, 60, 1, true, Duration.ZERO, true);

    /** The URL of a database for this class alone. */
    abstract String database() throws SQLException;

    private Race race() throws SQLException, InterruptedException {
        return new Race(database(), "mem:" + getClass().getName());
    }

    @Test
    void transfers_bothReadBeforeEitherWrites_payTwice() throws Exception {
        try (Race race = race()) {
            assertThat(race.play(Protection.NONE, TWO_TRANSFERS, meeting(60_000))
                            .tooMuch())
                    .isEqualTo(100);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Protection.class,
            mode = Mode.EXCLUDE,
            names = {"NONE", "SEGMENTS"})
    void transfers_protected_payOnce(Protection protection) throws Exception {
        try (Race race = race()) {
            RaceResult result = race.play(protection, TWO_TRANSFERS, meeting(300));

            assertThat(result.taken()).isEqualTo(100);
        }
    }

    @Test
    void transfers_lockWithoutFenceAndOneIsFrozen_payTwice() throws Exception {
        try (Race race = race()) {
            assertThat(race.play(Protection.LOCK, TWO_TRANSFERS.frozen(true)).tooMuch())
                    .isEqualTo(100);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Protection.class,
            names = {"FENCED_LOCK", "FENCES"})
    void transfers_lockWithFenceAndOneIsFrozen_payOnce(Protection protection) throws Exception {
        try (Race race = race()) {
            assertThat(race.play(protection, TWO_TRANSFERS.frozen(true)).taken())
                    .isEqualTo(100);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Protection.class, mode = Mode.EXCLUDE, names = "NONE")
    void sale_protected_sellsWhatThereIs(Protection protection) throws Exception {
        try (Race race = race()) {
            assertThat(race.play(protection, SALE).taken()).isEqualTo(SALE.stock());
        }
    }

    @Test
    void sale_lockWithoutFenceAndOneIsFrozen_sellsTooMany() throws Exception {
        try (Race race = race()) {
            assertThat(race.play(Protection.LOCK, SALE_WHILE_ONE_IS_FROZEN).tooMuch())
                    .isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Protection.class,
            names = {"FENCED_LOCK", "FENCES", "SEGMENTS"})
    void sale_lockWithFenceAndOneIsFrozen_sellsWhatThereIs(Protection protection) throws Exception {
        try (Race race = race()) {
            assertThat(race.play(protection, SALE_WHILE_ONE_IS_FROZEN).taken()).isEqualTo(SALE.stock());
        }
    }

    /** Two who work at once wait for each other; one that is alone goes on after a while. */
    private static Purchase.Work meeting(long patienceMillis) {
        var both = new CyclicBarrier(2);
        return row -> {
            try {
                both.await(patienceMillis, TimeUnit.MILLISECONDS);
            } catch (BrokenBarrierException | TimeoutException alone) {
                return;
            }
        };
    }
}
