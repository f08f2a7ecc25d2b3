package io.baton.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinatorOptions;
import io.baton.Trouble;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.client.DefaultCoordinator;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a coordinator says is wrong with its contact, while the store says what the test wants. */
@Timeout(60)
class ContactWatchTest {

    private static final Duration MOMENT = Duration.ofMillis(10);

    private final HandLoop loop = new HandLoop();
    private final ScriptedStore store = new ScriptedStore(loop);
    private final DefaultCoordinator client =
            DefaultCoordinator.start(store, loop, loop, CoordinatorOptions.defaults());

    private List<String> wrong() {
        return client.trouble().stream().map(Trouble::what).toList();
    }

    private void connect() {
        loop.run();
        store.connect();
        loop.run();
    }

    /** So many breaks, each mended at once, and all well afterwards. */
    private void breaks(int times) {
        for (int i = 0; i < times; i++) {
            loop.pass(MOMENT);
            store.suspend();
            store.connect();
        }
    }

    private void passProven(Duration time) {
        for (Duration past = Duration.ZERO; past.compareTo(time) < 0; past = past.plusSeconds(1)) {
            store.provenFor(ScriptedStore.TIMEOUT);
            loop.pass(Duration.ofSeconds(1));
        }
    }

    @Test
    void trouble_neverInContact_isToldAfterHalfTheTimeout() {
        loop.pass(ScriptedStore.TIMEOUT.dividedBy(2).minus(MOMENT));
        assertThat(wrong()).isEmpty();

        loop.pass(MOMENT.multipliedBy(2));

        assertThat(wrong()).containsExactly(ContactWatch.OUT);
    }

    @Test
    void trouble_outOfContact_isToldUntilInContact() {
        connect();
        passProven(Duration.ofSeconds(20));
        assertThat(wrong()).isEmpty();

        store.suspend();
        loop.pass(ScriptedStore.TIMEOUT);
        assertThat(client.trouble()).singleElement().satisfies(trouble -> {
            assertThat(trouble.what()).isEqualTo(ContactWatch.OUT);
            assertThat(trouble.why()).contains("no answer", "goes on trying");
        });
        store.connect();

        assertThat(wrong()).isEmpty();
    }

    @Test
    void trouble_proofJustRunOut_isNone() {
        connect();
        loop.pass(ScriptedStore.TIMEOUT.plusSeconds(2));

        assertThat(wrong()).isEmpty();
    }

    @Test
    void trouble_noProofThoughInContact_isToldUntilThereIsOne() {
        connect();
        loop.pass(ScriptedStore.TIMEOUT.multipliedBy(2));
        assertThat(wrong()).containsExactly(ContactWatch.UNPROVEN);

        passProven(ScriptedStore.TIMEOUT);

        assertThat(wrong()).isEmpty();
    }

    @Test
    void trouble_noProofAsTheStoreRefuses_saysWhatItSays() {
        connect();
        store.trouble("NOAUTH of /app");
        loop.pass(ScriptedStore.TIMEOUT.multipliedBy(2));

        assertThat(client.trouble())
                .singleElement()
                .satisfies(trouble -> assertThat(trouble.why()).contains("NOAUTH of /app"));
    }

    @Test
    void trouble_contactBreaksAgainAndAgain_isToldUntilItHasHeldForAWhile() {
        connect();
        breaks(ContactWatch.MANY_BREAKS - 1);
        assertThat(wrong()).isEmpty();
        breaks(1);
        assertThat(wrong()).containsExactly(ContactWatch.BREAKS);

        passProven(ContactWatch.LATELY.plus(ScriptedStore.TIMEOUT));

        assertThat(wrong()).isEmpty();
    }

    @Test
    void trouble_seldomBreaks_areNone() {
        connect();
        for (int i = 0; i < ContactWatch.MANY_BREAKS; i++) {
            breaks(1);
            passProven(ContactWatch.LATELY.dividedBy(ContactWatch.MANY_BREAKS - 1));
        }

        assertThat(wrong()).isEmpty();
    }
}
