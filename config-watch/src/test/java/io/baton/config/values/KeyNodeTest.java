package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.config.ConfigValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The store's keys as a tree. */
class KeyNodeTest {

    private static KeyNode root(String... keysAndTexts) {
        return new KeyNode(new KeyNode.Keys(Given.store(keysAndTexts), new ParsedKeys()));
    }

    private static Node at(KeyNode root, String... names) {
        Node node = root;
        for (String name : names) {
            node = Objects.requireNonNull(node.child(name));
        }
        return node;
    }

    private static String text(Node node) {
        return node.value() instanceof Value.Scalar text ? text.text() : "(none)";
    }

    @Test
    void path_ofADocument_isWithoutItsEnding() {
        assertThat(KeyNode.path("a.json")).isEqualTo("a");
        assertThat(KeyNode.path("a.b.yaml")).isEqualTo("a.b");
        assertThat(KeyNode.path("a.yml")).isEqualTo("a");
        assertThat(KeyNode.path("a.properties")).isEqualTo("a");
        assertThat(KeyNode.path("a.txt")).isEqualTo("a.txt");
        assertThat(KeyNode.path("json")).isEqualTo("json");
        // There is no path before the ending.
        assertThat(KeyNode.path(".json")).isEqualTo(".json");
    }

    @Test
    void value_key_isItsText() {
        KeyNode root = root("a", "1", "a.b", "2");

        assertThat(text(at(root, "a"))).isEqualTo("1");
        assertThat(text(at(root, "a", "b"))).isEqualTo("2");
        assertThat(root.value()).isNull();
        assertThat(root.object()).isFalse();
        assertThat(at(root, "a").object()).isFalse();
    }

    @Test
    void value_documentWithKeysBelowIt_isNone() {
        KeyNode root = root("a.json", "{}", "a.json.b", "1");

        Node json = at(root, "a", "json");

        assertThat(json.value()).isNull();
        assertThat(json.names()).containsExactly("b");
        assertThat(json.origin().place()).startsWith("a.json.*");
    }

    @Test
    void child_notThere_isNone() {
        KeyNode root = root("a", "1", "b.json", "{}", "c.d", "1", "cc", "2");

        assertThat(root.child("")).isNull();
        assertThat(root.child("none")).isNull();
        assertThat(at(root, "b").child("json")).isNull();
        assertThat(at(root, "a").child("x")).isNull();
        assertThat(at(root, "c").child("c")).isNull();
        assertThat(at(root, "c").value()).isNull();
    }

    @Test
    void document_ofEachEnding_isParsed() {
        for (String ending : List.of("json", "yaml", "yml", "properties")) {
            KeyNode root = root("a." + ending, ending.equals("properties") ? "b=1" : "{\"b\": 1}");

            Node document = Objects.requireNonNull(at(root, "a").document());

            assertThat(document.names()).as(ending).containsExactly("b");
        }
        assertThat(at(root("a", "{\"b\":1}"), "a").document()).isNotNull();
        assertThat(at(root("a", "[1]"), "a").document()).isNull();
        assertThat(at(root("a", "1"), "a").document()).isNull();
        assertThat(root("json", "{}", ".json", "{}").document()).isNull();
    }

    @Test
    void document_two_isAConflictAndSecretIfOneIs() {
        SortedMap<String, ConfigValue> store = Given.store("a", "{}", "a.json", "{}", "a.yml", "b: 1");
        Node open = at(new KeyNode(new KeyNode.Keys(store, new ParsedKeys())), "a");
        Node marked = at(new KeyNode(new KeyNode.Keys(Given.marked(store, "a.yml"), new ParsedKeys())), "a");

        assertThat(Objects.requireNonNull(open.document()).value())
                .isInstanceOfSatisfying(Value.Broken.class, broken -> {
                    assertThat(broken.key()).isEqualTo("a.json");
                    assertThat(broken.reason())
                            .isEqualTo("a.json and a.yml and a are two documents for one name (store)");
                    assertThat(broken.origin().secret()).isFalse();
                });
        assertThat(Objects.requireNonNull(marked.document()).origin().secret()).isTrue();
    }

    @Test
    void names_belowAPath_areFoundWithoutTheDocumentsAtIt() {
        KeyNode root =
                root("a.json", "{}", "a.b", "1", "a.c.d", "1", "a.c.e.f", "1", "ab.c", "1", ".x", "1", "yaml", "1");

        assertThat(root.names()).containsExactlyInAnyOrder("a", "ab", "yaml");
        assertThat(at(root, "a").names()).containsExactlyInAnyOrder("b", "c");
        assertThat(at(root, "a", "c").names()).containsExactlyInAnyOrder("d", "e");
        assertThat(at(root, "a", "b").names()).isEmpty();
        assertThat(at(root, "a", "b").spellings("b")).isEmpty();
    }

    @Test
    void names_ofALeaf_areNotLookedFor() {
        var looked = new Looks(Given.store("a", "1", "b", "2"));
        Node leaf = at(new KeyNode(new KeyNode.Keys(looked, new ParsedKeys())), "a");
        looked.gets.clear();
        looked.tails.clear();

        assertThat(leaf.names()).isEmpty();
        assertThat(leaf.spellings("x")).isEmpty();
        assertThat(leaf.document()).isNull();
        assertThat(leaf.child("x")).isNull();

        assertThat(looked.tails).isEmpty();
        assertThat(looked.gets).containsOnly("a");
    }

    @Test
    void names_manyBelowEach_arePassedOver() {
        var keys = new ArrayList<String>();
        for (int name = 0; name < 3; name++) {
            for (int below = 0; below < 1_000; below++) {
                Collections.addAll(keys, "n" + name + ".k" + below, "1");
            }
        }
        var looked = new Looks(Given.store(keys.toArray(String[]::new)));
        KeyNode root = new KeyNode(new KeyNode.Keys(looked, new ParsedKeys()));

        assertThat(root.names()).containsExactlyInAnyOrder("n0", "n1", "n2");
        // From the first key on, and past each name.
        assertThat(looked.tails).containsExactly("", "n0/", "n1/", "n2/");
        assertThat(root.names()).hasSize(3);
        assertThat(looked.tails).hasSize(4);
    }

    @Test
    void names_fewBelowEach_areReadOneByOne() {
        var keys = new ArrayList<String>();
        for (int below = 0; below < 5; below++) {
            Collections.addAll(keys, "n.k" + below, "1");
        }
        var looked = new Looks(Given.store(keys.toArray(String[]::new)));

        assertThat(new KeyNode(new KeyNode.Keys(looked, new ParsedKeys())).names())
                .containsExactly("n");
        assertThat(looked.tails).containsExactly("");
    }

    @Test
    void spellings_ofOneName_areAllThatThereAre() {
        KeyNode root = root("a.retry-limit", "1", "a.retryLimit", "2", "a.other", "3");

        assertThat(at(root, "a").spellings("retrylimit")).containsExactlyInAnyOrder("retry-limit", "retryLimit");
        assertThat(at(root, "a").spellings("other")).containsExactly("other");
        assertThat(at(root, "a").spellings("none")).isEmpty();
    }

    @Test
    void origin_keyOrPath_isTheKeyOrAllBelow() {
        KeyNode root = root("a", "1", "b.c", "2");

        assertThat(root.origin().place()).isEqualTo("*");
        assertThat(at(root, "b").origin().place()).isEqualTo("b.*");
        assertThat(at(root, "a").origin().place()).isEqualTo("a @1");
        assertThat(at(root, "a").origin().layer()).isEqualTo("store");
    }

    /** Keeps in mind which keys it was asked for, and from which on. */
    private static final class Looks extends TreeMap<String, ConfigValue> {

        private static final long serialVersionUID = 1L;

        private final transient List<String> gets = new ArrayList<>();
        private final transient List<String> tails = new ArrayList<>();

        Looks(SortedMap<String, ConfigValue> store) {
            store.forEach(this::put);
        }

        @Override
        public ConfigValue get(Object key) {
            gets.add(String.valueOf(key));
            return super.get(key);
        }

        @Override
        public SortedMap<String, ConfigValue> tailMap(String from) {
            tails.add(from);
            return super.tailMap(from);
        }
    }
}
