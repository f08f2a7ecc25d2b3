package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A document as it is built. */
class DocumentTreeTest {

    private static final Origin HERE = Origin.of("file", "a.yaml");
    private static final Value TEXT = Value.Scalar.loose("x", HERE);

    @Test
    void of_eachKind_saysWhetherItIsAnObject() {
        assertThat(DocumentTree.of(TEXT).object()).isFalse();
        assertThat(DocumentTree.of(TEXT).value()).isSameAs(TEXT);
        assertThat(DocumentTree.of(TEXT).origin()).isEqualTo(HERE);
        assertThat(DocumentTree.object(HERE).object()).isTrue();
        assertThat(DocumentTree.object(HERE).value()).isNull();
        assertThat(DocumentTree.paths(HERE).object()).isFalse();
    }

    @Test
    void add_sameNameTwice_isRefusedAndTheFirstStays() {
        DocumentTree object = DocumentTree.object(HERE);
        DocumentTree first = DocumentTree.of(TEXT);

        assertThat(object.add("a", first)).isTrue();
        assertThat(object.add("a", DocumentTree.of(TEXT))).isFalse();

        assertThat(object.child("a")).isSameAs(first);
        assertThat(object.child("b")).isNull();
        assertThat(object.names()).containsExactly("a");
    }

    @Test
    void put_path_isMadeWithAllAboveIt() {
        DocumentTree tree = DocumentTree.paths(HERE);
        tree.put(List.of("a", "b"), "1", HERE);
        tree.put(List.of("a"), "2", HERE);
        tree.put(List.of("a", "c"), "3", HERE);

        Node a = Objects.requireNonNull(tree.child("a"));
        assertThat(a.names()).containsExactly("b", "c");
        assertThat(a.value())
                .isInstanceOfSatisfying(
                        Value.Scalar.class, text -> assertThat(text.text()).isEqualTo("2"));
        assertThat(tree.value()).isNull();
    }

    @Test
    void spellings_ofOneName_areAllThatThereAre() {
        DocumentTree tree = DocumentTree.object(HERE);
        tree.add("retry-limit", DocumentTree.of(TEXT));
        tree.add("retryLimit", DocumentTree.of(TEXT));
        tree.add("other", DocumentTree.of(TEXT));

        assertThat(tree.spellings("retrylimit")).containsExactly("retry-limit", "retryLimit");
        assertThat(tree.spellings("other")).containsExactly("other");
        assertThat(tree.spellings("none")).isEmpty();
    }

    @Test
    void trouble_malformedOnly_isTold() {
        assertThat(Objects.requireNonNull(DocumentTree.broken("a", "why", HERE).trouble())
                        .reason())
                .isEqualTo("why");
        assertThat(DocumentTree.of(TEXT).trouble()).isNull();
        assertThat(DocumentTree.object(HERE).trouble()).isNull();
    }
}
