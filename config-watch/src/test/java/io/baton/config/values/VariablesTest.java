package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What variables say of paths, as their words can be divided in several ways. */
class VariablesTest {

    private static Variables of(Map<String, String> environment) {
        return Variables.of("environment", "SHOP_", environment);
    }

    private static String text(Node node) {
        return node.value() instanceof Value.Scalar text ? text.text() : "(none)";
    }

    private static Node child(Node node, String name) {
        return Objects.requireNonNull(node.child(name));
    }

    @Test
    void child_nameOfSeveralWords_usesThemUp() {
        Variables root = of(Map.of("SHOP_RETRY_LIMIT_MAX", "3"));

        assertThat(text(child(root, "retryLimitMax"))).isEqualTo("3");
        assertThat(text(child(child(root, "retry-limit"), "max"))).isEqualTo("3");
        assertThat(text(child(child(child(root, "retry"), "limit"), "MAX"))).isEqualTo("3");
        assertThat(child(root, "retry").value()).isNull();
        assertThat(root.value()).isNull();
    }

    @Test
    void child_wordsDoNotMakeTheName_isNone() {
        Variables root = of(Map.of("SHOP_RETRY_LIMIT", "3"));

        for (String name : List.of("limit", "retryl", "retr", "retryLimitMax", "other", "")) {
            assertThat(root.child(name)).as(name).isNull();
            assertThat(root.spellings(name)).as(name).isEmpty();
        }
        assertThat(child(root, "retryLimit").child("x")).isNull();
        assertThat(root.spellings("retry")).containsExactly("retry");
    }

    @Test
    void of_otherPrefixOrNoWords_isLeftOut() {
        Variables root = of(Map.of("SHOP_", "1", "SHOP__", "2", "shop_a", "3", "OTHER_B", "4", "SHOP__C__D_", "5"));

        assertThat(root.names()).containsExactly("c");
        assertThat(text(child(child(root, "c"), "d"))).isEqualTo("5");
    }

    @Test
    void names_severalVariables_areTheirNextWords() {
        Variables root = of(Map.of("SHOP_A_B", "1", "SHOP_A_C", "2", "SHOP_D", "3", "SHOP_A", "4"));

        assertThat(root.names()).containsExactly("a", "d");
        assertThat(text(child(root, "a"))).isEqualTo("4");
        assertThat(child(root, "a").names()).containsExactly("b", "c");
        assertThat(child(root, "d").names()).isEmpty();
    }

    @Test
    void namesBeside_whatCanBeReadAsAKnownName_isNoOther() {
        Variables root = of(Map.of("SHOP_RETRY_LIMIT", "1", "SHOP_RETRY_PAUSE", "2", "SHOP_URL", "3"));

        assertThat(root.namesBeside(Set.of("retrylimit"))).containsExactly("retry", "url");
        assertThat(root.namesBeside(Set.of("retrylimit", "retrypause"))).containsExactly("url");
        assertThat(root.namesBeside(Set.of("retry", "url"))).isEmpty();
    }

    @Test
    void object_isNeverSaid() {
        Variables root = of(Map.of("SHOP_A_B", "1"));

        assertThat(root.object()).isFalse();
        assertThat(child(root, "a").object()).isFalse();
    }

    @Test
    void origin_ownVariableOrTheFirstBelow_isTold() {
        Variables root = of(Map.of("SHOP_A", "1", "SHOP_A_B", "2", "SHOP_AB", "3"));

        assertThat(root.origin()).isEqualTo(Origin.of("environment", "SHOP_A"));
        assertThat(child(root, "ab").origin()).isEqualTo(Origin.of("environment", "SHOP_AB"));
        assertThat(child(child(root, "a"), "b").origin()).isEqualTo(Origin.of("environment", "SHOP_A_B"));
        assertThat(of(Map.of()).origin()).isEqualTo(Origin.of("environment", ""));
    }

    @Test
    void origin_ofAValue_isItsVariable() {
        // In their order the one that goes on comes first.
        Variables root = of(Map.of("SHOP_A_B_C", "1", "SHOP_A__B", "2"));

        Node node = child(child(root, "a"), "b");

        assertThat(text(node)).isEqualTo("2");
        assertThat(node.origin()).isEqualTo(Origin.of("environment", "SHOP_A__B"));
        assertThat(Objects.requireNonNull(node.value()).origin()).isEqualTo(node.origin());
    }
}
