package io.baton.config.internal.active;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Position;
import io.baton.config.ConfigSource;
import io.baton.config.ConfigValue;
import io.baton.config.internal.follow.StoreState;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.internal.record.SpaceHead;
import io.baton.config.values.Bundled;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which states are tried instead of one that does not fit, and in which order. */
class EarlierStatesTest {

    private static final CandidateState NEWEST = state(ConfigSource.LIVE, "newest", "");
    private static final CandidateState LAID_OVER = state(ConfigSource.LIVE, "canary", "c1");
    private static final CandidateState KEPT = state(ConfigSource.CACHED, "kept", "");
    private static final CandidateState BEFORE = state(ConfigSource.LIVE, "before", "");
    private static final CandidateState LONG_BEFORE = state(ConfigSource.LIVE, "long before", "");

    private final List<String> asked = new ArrayList<>();
    private List<CandidateState> history = List.of(BEFORE, LONG_BEFORE);

    private static CandidateState state(ConfigSource source, String text, String canary) {
        var values = new TreeMap<String, ConfigValue>();
        values.put("key", new ConfigValue("key", text, 1, false));
        return new CandidateState(source, new Position("h", 1), 1, FrozenMap.copyOf(values), canary);
    }

    private static ActiveConfig inUse(CandidateState state) {
        return ActiveConfig.of(state, Bundled.builder().build().with(state.values()));
    }

    private EarlierStates states(boolean answered, Optional<CandidateState> kept) {
        return new EarlierStates(
                () -> {
                    asked.add("newest");
                    return StoreState.of(new Position("h", 1), NEWEST.values(), SpaceHead.NONE);
                },
                answered,
                kept,
                () -> {
                    asked.add("history");
                    return history.iterator();
                });
    }

    private static List<String> texts(Iterator<CandidateState> states) {
        var texts = new ArrayList<String>();
        states.forEachRemaining(state -> texts.add(
                state.values().isEmpty()
                        ? state.source().name()
                        : state.values().get("key").text()));
        return texts;
    }

    @Test
    void than_newestRefused_triesTheKeptAndTheHistoryAndAtLastNothingOfTheStore() {
        assertThat(texts(states(true, Optional.of(KEPT)).before(inUse(NEWEST), false)))
                .containsExactly("kept", "before", "long before", "BUNDLED");
        assertThat(texts(states(true, Optional.empty()).before(inUse(NEWEST), false)))
                .containsExactly("before", "long before", "BUNDLED");
    }

    @Test
    void than_refusedWithACanary_isTriedWithoutItFirst() {
        assertThat(texts(states(true, Optional.of(KEPT)).before(inUse(LAID_OVER), false)))
                .containsExactly("newest", "kept", "before", "long before", "BUNDLED");
    }

    @Test
    void than_independentBinding_triesTheNewestFirst() {
        assertThat(texts(states(true, Optional.of(KEPT)).before(inUse(BEFORE), true)))
                .containsExactly("newest", "kept", "long before", "BUNDLED");
    }

    @Test
    void than_storeHasNotAnswered_triesNothingOfIt() {
        assertThat(texts(states(false, Optional.of(KEPT)).before(inUse(LAID_OVER), true)))
                .containsExactly("kept", "BUNDLED");
        assertThat(texts(states(false, Optional.of(KEPT)).before(inUse(KEPT), false)))
                .containsExactly("BUNDLED");
        assertThat(asked).doesNotContain("history");
    }

    @Test
    void than_keptWithACanary_isTriedOnlyWithoutTheStore() {
        CandidateState kept = state(ConfigSource.CACHED, "kept", "c1");
        assertThat(texts(states(true, Optional.of(kept)).before(inUse(NEWEST), false)))
                .doesNotContain("kept");
        assertThat(texts(states(false, Optional.of(kept)).before(inUse(NEWEST), false)))
                .contains("kept");
    }

    @Test
    void than_oneFits_whatComesAfterItIsNotReadFor() {
        Iterator<CandidateState> states = states(true, Optional.of(KEPT)).before(inUse(NEWEST), false);
        assertThat(states.next()).isEqualTo(KEPT);
        assertThat(asked).doesNotContain("history");
        assertThat(states.hasNext()).isTrue();
        assertThat(states.hasNext()).isTrue();
        assertThat(states.next()).isEqualTo(BEFORE);
        assertThat(asked).containsOnlyOnce("history");
    }

    @Test
    void next_noneIsLeft_says() {
        history = List.of();
        Iterator<CandidateState> states = states(true, Optional.empty()).before(inUse(CandidateState.bundled()), false);
        assertThat(states.hasNext()).isFalse();
        assertThatThrownBy(states::next).isInstanceOf(NoSuchElementException.class);
    }
}
