package io.baton.config.internal.active;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.config.Bounds;
import io.baton.config.Rejection;
import io.baton.config.Rig;
import io.baton.config.values.Layers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who is asked about a candidate, in which order, and what comes of what they say. */
class ConsentRoundTest {

    private final Bounds bounds = new Bounds(new Rig("poll"));
    private final List<String> asked = new ArrayList<>();
    private final ConsentRound poll = new ConsentRound(bounds.secrets, asked::add);

    private final Bound<Integer> a = small("a", false);
    private final Bound<Integer> b = small("b", false);
    private final Bound<Integer> alone = small("alone", true);

    private final Layers before = bounds.layers("a", "1", "b", "1", "alone", "1");
    private final ActiveConfig now = bounds.state("a", "1", "b", "1", "alone", "1");
    private final ActiveConfig both = now.with(a, 1).with(b, 1);
    private final ActiveConfig all = both.with(alone, 1);

    /** Must be positive to be good, and below ten to come into use. */
    private Bound<Integer> small(String name, boolean independent) {
        Conditions<Integer> conditions = Conditions.<Integer>none()
                .with(value -> value > 0, "must be positive")
                .with(value -> {
                    if (value >= 10) {
                        throw new IllegalStateException("no room for " + value);
                    }
                });
        return bounds.number(name, conditions, independent);
    }

    private static String reason(Optional<Refused> refused) {
        return refused.map(why -> why.key() + ": " + why.reason()).orElse("");
    }

    @Test
    void of_allAgree_areAskedForTheirValuesFirstAndThenWhetherTheyMayComeIntoUse() throws Refused {
        ConsentRound.Result agreed = poll.of(both, bounds.layers("a", "2", "b", "3"));

        assertThat(asked).containsExactly("binding a", "binding b", "prepare of a", "prepare of b");
        assertThat(agreed.bound()).containsExactly(Map.entry(a, 2), Map.entry(b, 3));
        assertThat(agreed.changed().keySet()).containsExactly(a, b);
        assertThat(agreed.apart()).isEmpty();
        assertThat(agreed.refused()).isEmpty();
    }

    @Test
    void of_nothingDiffersForOne_itKeepsItsValue() throws Refused {
        ConsentRound.Result agreed = poll.of(both, bounds.layers("a", "1", "b", "3"));

        assertThat(agreed.bound()).containsExactly(Map.entry(a, 1), Map.entry(b, 3));
        assertThat(agreed.changed().keySet()).containsExactly(b);
        ConsentRound.Result none =
                new ConsentRound(bounds.secrets, asked::add).of(both, bounds.layers("a", "1", "b", "1"));
        assertThat(none.changed()).isEmpty();
        assertThat(none.bound()).isSameAs(both.bound());
    }

    @Test
    void of_oneValueIsNoGood_noneMayComeIntoUse() {
        assertThatThrownBy(() -> poll.of(both, bounds.layers("a", "2", "b", "-1")))
                .isInstanceOf(Refused.class)
                .hasMessage("must be positive");
        assertThat(asked).containsExactly("binding a", "binding b");
    }

    @Test
    void of_oneMustNotComeIntoUse_isRefused() {
        assertThatThrownBy(() -> poll.of(both, bounds.layers("a", "2", "b", "10")))
                .isInstanceOf(Refused.class)
                .hasMessage("no room for 10");
    }

    @Test
    void of_again_asksOnlyThoseThatWereNotAsked() throws Refused {
        Layers next = bounds.layers("a", "2", "b", "3");
        poll.of(now.with(a, 1), next);
        assertThat(asked).containsExactly("binding a", "prepare of a");
        asked.clear();

        ConsentRound.Result agreed = poll.of(both, next);

        assertThat(asked).containsExactly("binding b", "prepare of b");
        assertThat(agreed.bound()).containsExactly(Map.entry(a, 2), Map.entry(b, 3));
    }

    @Test
    void of_oneIsUnboundMeanwhile_itHasNoPlaceInWhatWasAgreed() throws Refused {
        Layers next = bounds.layers("a", "2", "b", "3");
        poll.of(both, next);

        ConsentRound.Result agreed = poll.of(both.without(b), next);

        assertThat(agreed.bound()).containsExactly(Map.entry(a, 2));
        assertThat(agreed.changed().keySet()).containsExactly(a);
    }

    @Test
    void of_independentAgrees_isAskedLastAndGoesAlong() throws Refused {
        ActiveConfig aloneFirst = now.with(alone, 1).with(a, 1);

        ConsentRound.Result agreed = poll.of(aloneFirst, bounds.layers("a", "2", "alone", "3"));

        assertThat(asked).containsExactly("binding a", "prepare of a", "binding alone", "prepare of alone");
        assertThat(agreed.bound()).containsEntry(alone, 3).containsEntry(a, 2);
        assertThat(agreed.apart()).isEmpty();
        assertThat(agreed.refused()).isEmpty();
    }

    @Test
    void of_independentRefuses_onlyItStaysBehind() throws Refused {
        for (String bad : List.of("-1", "10")) {
            ConsentRound.Result agreed = new ConsentRound(bounds.secrets, asked::add)
                    .of(all, bounds.layers("a", "2", "b", "3", "alone", bad));

            assertThat(agreed.bound()).containsExactly(Map.entry(a, 2), Map.entry(b, 3), Map.entry(alone, 1));
            assertThat(agreed.changed().keySet()).containsExactly(a, b);
            assertThat(agreed.apart()).containsOnlyKeys(alone).containsValue(now.layers());
            assertThat(reason(agreed.refused())).startsWith("alone: ");
        }
    }

    @Test
    void of_independentRefused_isNotAskedAgain() throws Refused {
        Layers next = bounds.layers("a", "2", "b", "3", "alone", "-1");
        poll.of(all, next);
        asked.clear();

        assertThat(reason(poll.of(all, next).refused())).isEqualTo("alone: must be positive");
        assertThat(asked).isEmpty();
        // It is bound no more: what it has said is of no interest.
        ConsentRound.Result without = poll.of(both, next);
        assertThat(without.refused()).isEmpty();
        assertThat(without.apart()).isEmpty();
    }

    @Test
    void withoutIndependent_theyAreNotAskedAndStayBehind() throws Refused {
        ConsentRound.Result agreed = poll.withoutIndependent(all, bounds.layers("a", "2", "b", "3", "alone", "4"));

        assertThat(asked).containsExactly("binding a", "binding b", "prepare of a", "prepare of b");
        assertThat(agreed.bound()).containsEntry(alone, 1).containsEntry(a, 2);
        assertThat(agreed.apart()).containsOnlyKeys(alone).containsValue(now.layers());
        assertThat(agreed.changed().keySet()).containsExactly(a, b);
        assertThatThrownBy(() -> new ConsentRound(bounds.secrets, asked::add)
                        .withoutIndependent(all, bounds.layers("a", "-1", "b", "3", "alone", "4")))
                .isInstanceOf(Refused.class);
    }

    @Test
    void independent_othersHaveRefused_thoseThatAgreeGoAhead() {
        Layers next = bounds.layers("a", "2", "b", "-1", "alone", "4");
        assertThatThrownBy(() -> poll.of(all, next)).isInstanceOf(Refused.class);
        asked.clear();

        ConsentRound.Result ahead = poll.independent(all, next);

        assertThat(asked).containsExactly("binding alone", "prepare of alone");
        assertThat(ahead.bound()).containsExactly(Map.entry(a, 1), Map.entry(b, 1), Map.entry(alone, 4));
        assertThat(ahead.changed().keySet()).containsExactly(alone);
        assertThat(ahead.apart()).containsExactly(Map.entry(alone, next));
    }

    @Test
    void independent_wereAskedBefore_areNotAskedAgain() throws Refused {
        Layers next = bounds.layers("a", "2", "b", "3", "alone", "4");
        poll.of(all, next);
        asked.clear();

        assertThat(poll.independent(all, next).bound()).containsEntry(alone, 4).containsEntry(a, 1);
        assertThat(asked).isEmpty();
    }

    @Test
    void independent_nothingDiffersForIt_itsLayersStay() {
        Layers next = bounds.layers("a", "2", "b", "-1", "alone", "1");
        assertThat(poll.independent(all, next).apart()).isEmpty();
        // What has gone ahead before stays so.
        ActiveConfig ahead = both.with(alone, 1, before, new Rejection(7, 3, "b", "no"));
        assertThat(new ConsentRound(bounds.secrets, asked::add)
                        .independent(ahead, next)
                        .apart())
                .containsExactly(Map.entry(alone, before));
    }

    @Test
    void independent_refuses_staysAsItIs() {
        ConsentRound.Result ahead = poll.independent(all, bounds.layers("a", "2", "b", "-1", "alone", "-4"));

        assertThat(ahead.bound()).isSameAs(all.bound());
        assertThat(ahead.apart()).isEmpty();
        assertThat(reason(ahead.refused())).isEqualTo("alone: must be positive");
    }
}
