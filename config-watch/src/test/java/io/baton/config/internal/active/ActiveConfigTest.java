package io.baton.config.internal.active;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Position;
import io.baton.config.Bounds;
import io.baton.config.ConfigSource;
import io.baton.config.ConfigValue;
import io.baton.config.Rejection;
import io.baton.config.Rig;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.values.Layers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is in use, and what becomes of it if one thing in it is another. */
class ActiveConfigTest {

    private static final Position AT = new Position("h", 7);
    private static final Rejection WHY = new Rejection(8, 4, "b", "no");
    private static final Rejection EARLIER = new Rejection(6, 3, "a", "no");

    private final Bounds bounds = new Bounds(new Rig("active"));
    private final Bound<Integer> a = bounds.number("a");
    private final Bound<Integer> b = bounds.number("b");
    private final FrozenMap<ConfigValue> values = Bounds.values("a", "1", "b", "1");
    private final Layers layers = bounds.layers("a", "1", "b", "1");
    private final Layers others = bounds.layers("a", "2", "b", "2");
    private final CandidateState first = new CandidateState(ConfigSource.LIVE, AT, 3, values, "c1");
    private final ActiveConfig state = ActiveConfig.of(first, layers);
    private final Listener listener = new Listener();

    private static final class Listener implements ActiveConfig.Audience {

        @Override
        public ActiveConfig.Telling applied(Activation swap) {
            return ActiveConfig.Telling.NONE;
        }

        @Override
        public void end() {}
    }

    private static ConsentRound.Result agreed(Map<Bound<?>, Object> bound, Map<Bound<?>, Layers> apart) {
        return new ConsentRound.Result(bound, apart, Map.of(), Optional.empty());
    }

    @Test
    void of_candidate_isInUseAndNothingIsBound() {
        assertThat(ActiveConfig.of(first, layers)).isEqualTo(state);
        assertThat(state.snapshot()).isEqualTo(first.snapshot());
        assertThat(state.values()).isSameAs(values);
        assertThat(state.layers()).isSameAs(layers);
        assertThat(state.canary()).isEqualTo("c1");
        assertThat(state.bound()).isEmpty();
        assertThat(state.audiences()).isEmpty();
        assertThat(state.rejection()).isEmpty();
        assertThat(state.closed()).isFalse();
    }

    @Test
    void is_sameCandidate_onlyIfNothingDiffers() {
        Optional<Rejection> none = Optional.empty();
        FrozenMap<ConfigValue> equal = Bounds.values("a", "2", "b", "1");

        assertThat(state.is(new CandidateState(ConfigSource.LIVE, new Position("h", 7), 3, values, "c1"), none))
                .isTrue();
        assertThat(state.is(new CandidateState(ConfigSource.CACHED, AT, 3, values, "c1"), none))
                .isFalse();
        assertThat(state.is(new CandidateState(ConfigSource.LIVE, new Position("h", 8), 3, values, "c1"), none))
                .isFalse();
        assertThat(state.is(new CandidateState(ConfigSource.LIVE, AT, 4, values, "c1"), none))
                .isFalse();
        assertThat(state.is(new CandidateState(ConfigSource.LIVE, AT, 3, equal, "c1"), none))
                .isFalse();
        assertThat(state.is(new CandidateState(ConfigSource.LIVE, AT, 3, values, ""), none))
                .isFalse();
        assertThat(state.is(first, Optional.of(WHY))).isFalse();
        assertThat(state.rejecting(Optional.of(WHY)).is(first, Optional.of(WHY)))
                .isTrue();
    }

    @Test
    void next_ofAnotherCandidate_hasWhatWasAgreedToAndTheSameAudiences() {
        var candidate = new CandidateState(ConfigSource.LIVE, new Position("h", 9), 5, Bounds.values("a", "2"), "");

        ActiveConfig next =
                state.with(listener).next(candidate, others, agreed(Map.of(a, 2), Map.of(a, layers)), Optional.of(WHY));

        assertThat(next.snapshot().position()).isEqualTo(new Position("h", 9));
        assertThat(next.values()).isSameAs(candidate.values());
        assertThat(next.canary()).isEmpty();
        assertThat(next.layers()).isSameAs(others);
        assertThat(next.bound()).containsExactly(Map.entry(a, 2));
        assertThat(next.layersOf(a)).isSameAs(layers);
        assertThat(next.layersOf(b)).isSameAs(others);
        assertThat(next.audiences()).containsExactly(listener);
        assertThat(next.rejection()).contains(WHY);
    }

    @Test
    void apart_someHaveGoneOn_leavesTheState() {
        ActiveConfig apart = state.with(a, 1).apart(agreed(Map.of(a, 2), Map.of(a, others)), Optional.of(WHY));

        assertThat(apart.snapshot()).isEqualTo(state.snapshot());
        assertThat(apart.layers()).isSameAs(layers);
        assertThat(apart.bound()).containsExactly(Map.entry(a, 2));
        assertThat(apart.layersOf(a)).isSameAs(others);
        assertThat(apart.rejection()).contains(WHY);
    }

    @Test
    void rejecting_stateThatIsNotTaken_leavesWhatIsInUse() {
        ActiveConfig rejecting = state.with(a, 1).rejecting(Optional.of(WHY));

        assertThat(rejecting.rejection()).contains(WHY);
        assertThat(rejecting.bound()).containsExactly(Map.entry(a, 1));
        assertThat(rejecting.values()).isSameAs(values);
        assertThat(rejecting.rejecting(Optional.empty()).rejection()).isEmpty();
    }

    @Test
    void with_bound_comesAfterTheOthersAndCanBeTakenAway() {
        ActiveConfig both = state.with(b, 1).with(a, 2);

        assertThat(both.bound()).containsExactly(Map.entry(b, 1), Map.entry(a, 2));
        assertThat(both.layersOf(a)).isSameAs(layers);
        assertThat(both.without(b).bound()).containsExactly(Map.entry(a, 2));
        assertThat(both.without(b).without(a).bound()).isEmpty();
    }

    @Test
    void with_boundOfOtherLayers_saysWhichAndWhyUntilItIsTakenAway() {
        ActiveConfig ahead = state.with(a, 2, others, WHY);

        assertThat(ahead.bound()).containsExactly(Map.entry(a, 2));
        assertThat(ahead.layersOf(a)).isSameAs(others);
        assertThat(ahead.rejection()).contains(WHY);
        assertThat(state.rejecting(Optional.of(EARLIER)).with(a, 2, others, WHY).rejection())
                .contains(EARLIER);
        assertThat(ahead.without(a).apart()).isEmpty();
        assertThat(ahead.without(a).rejection()).contains(WHY);
    }

    @Test
    void with_audience_isToldUntilItIsTakenAway() {
        var other = new Listener();
        ActiveConfig both = state.with(a, 1).with(listener).with(other);

        assertThat(both.audiences()).containsExactly(listener, other);
        assertThat(both.without(listener).audiences()).containsExactly(other);
        assertThat(both.without(listener).bound()).containsExactly(Map.entry(a, 1));
        assertThat(both.rejecting(Optional.of(WHY)).without(other).audiences()).isEqualTo(List.of(listener));
    }

    @Test
    void ended_state_staysAndNobodyIsTold() {
        ActiveConfig ended = state.with(a, 1).with(listener).ended();

        assertThat(ended.closed()).isTrue();
        assertThat(ended.audiences()).isEmpty();
        assertThat(ended.bound()).containsExactly(Map.entry(a, 1));
        assertThat(ended.snapshot()).isEqualTo(state.snapshot());
        assertThat(ended.with(b, 1).closed()).isTrue();
    }
}
