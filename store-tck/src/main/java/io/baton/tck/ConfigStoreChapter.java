package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Records;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigEntry;
import io.baton.config.ConfigException;
import io.baton.config.ConfigStore;
import io.baton.config.ConfigValue;
import io.baton.config.KeyChange;
import io.baton.config.LiveConfig;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Configuration as tools write it and read its history. */
abstract class ConfigStoreChapter extends Chapter {

    @Test
    void commit_severalKeys_areWrittenTogetherAndNumbered() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        assertThat(store.list("")).isEmpty();
        assertThat(store.history(10)).isEmpty();

        ConfigCommit first = edit(store).put("a", "1").put("b/c", "2").commit();
        ConfigCommit second =
                edit(store).put("a", "3").delete("b/c").put("d", "4").commit();

        assertThat(first.change()).isEqualTo(1);
        assertThat(second.change()).isEqualTo(2);
        assertThat(second.revision()).isGreaterThan(first.revision());
        assertThat(texts(store)).isEqualTo(Map.of("a", "3", "d", "4"));
        ConfigValue a = store.get("a").orElseThrow();
        assertThat(a.revision()).isEqualTo(second.revision());
        assertThat(store.get("b/c")).isEmpty();
        assertThat(store.list("d").keySet()).containsExactly("d");
        assertThatThrownBy(() -> edit(store).commit()).isInstanceOf(ConfigException.class);
    }

    @Test
    void commit_expectationNotMet_isRefusedAndNothingIsWritten() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        ConfigStore other = ConfigStore.of(coordinator());
        long revision = edit(store).put("a", "1").commit().revision();
        long newer = edit(other).put("a", "2").expect("a", revision).commit().revision();

        assertThatThrownBy(() -> edit(store)
                        .put("a", "3")
                        .put("b", "3")
                        .expect("a", revision)
                        .commit())
                .isInstanceOf(ConfigConflictException.class)
                .hasMessageContaining("a");
        assertThatThrownBy(() -> edit(store).put("a", "3").expect("a", 0).commit())
                .isInstanceOf(ConfigConflictException.class);
        assertThatThrownBy(() -> edit(store).put("b", "3").expect("b", newer).commit())
                .isInstanceOf(ConfigConflictException.class);

        assertThat(texts(store)).isEqualTo(Map.of("a", "2"));
        assertThat(store.history(10)).hasSize(2);
        edit(store).put("b", "3").expect("b", 0).expect("a", newer).commit();
        assertThat(texts(store)).isEqualTo(Map.of("a", "2", "b", "3"));
    }

    @Test
    void commits_concurrentWriters_areNumberedWithoutAGapAndNoneIsLost() throws Exception {
        int each = 12;
        List<CompletableFuture<List<ConfigCommit>>> writers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ConfigStore store = ConfigStore.of(coordinator());
            String own = "own" + i;
            writers.add(CompletableFuture.supplyAsync(() -> countUp(store, own, each)));
        }
        List<ConfigCommit> all = new ArrayList<>();
        for (CompletableFuture<List<ConfigCommit>> writer : writers) {
            List<ConfigCommit> its = outcome(writer);
            assertThat(its.stream().map(ConfigCommit::change).toList()).isSorted();
            all.addAll(its);
        }

        ConfigStore store = ConfigStore.of(coordinator());
        List<Long> numbers = LongStream.rangeClosed(1, 3L * each).boxed().toList();
        assertThat(all.stream().map(ConfigCommit::change).sorted().toList()).isEqualTo(numbers);
        List<ConfigEntry> history = new ArrayList<>(store.history(1_000));
        Collections.reverse(history);
        assertThat(history.stream().map(ConfigEntry::change).toList()).isEqualTo(numbers);
        assertThat(history.stream().map(ConfigEntry::revision).toList()).isSorted();
        assertThat(store.get("count").orElseThrow().text()).isEqualTo(String.valueOf(3 * each));
        for (ConfigCommit commit : all) {
            assertThat(history.get((int) commit.change() - 1).revision()).isEqualTo(commit.revision());
        }
    }

    /** Increments a count that all writers share, by reading it first, and one of its own. */
    private static List<ConfigCommit> countUp(ConfigStore store, String own, int times) {
        List<ConfigCommit> commits = new ArrayList<>();
        try {
            while (commits.size() < times) {
                Optional<ConfigValue> count = store.get("count");
                int next =
                        1 + count.map(value -> Integer.parseInt(value.text())).orElse(0);
                try {
                    commits.add(edit(store)
                            .put("count", String.valueOf(next))
                            .put(own, String.valueOf(commits.size()))
                            .expect("count", count.map(ConfigValue::revision).orElse(0L))
                            .commit());
                } catch (ConfigConflictException again) {
                    assertThat(store.get("count")).isNotEqualTo(count);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return commits;
    }

    @Test
    void history_ofChanges_tellsWhoWroteWhatAndWhy() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        edit(store).put("a", "1").put("b", "2").author("anna").comment("begin").commit();
        ConfigCommit second =
                edit(store).put("a", "3").delete("b").author("bert").commit();

        assertThat(store.history(1)).extracting(ConfigEntry::change).containsExactly(2L);
        ConfigEntry entry = store.change(2).orElseThrow();
        assertThat(entry.revision()).isEqualTo(second.revision());
        assertThat(entry.author()).isEqualTo("bert");
        assertThat(entry.comment()).isEmpty();
        assertThat(entry.changes())
                .extracting(KeyChange::toString)
                .containsExactlyInAnyOrder("a: '1' -> '3'", "b: '2' -> (none)");
        assertThat(store.change(1).orElseThrow().comment()).isEqualTo("begin");
        assertThat(store.change(3)).isEmpty();
    }

    @Test
    void diffAndRollback_betweenChanges_bringBackWhatWas() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        edit(store).put("a", "1").put("b", "1").commit();
        edit(store).put("a", "2").put("c", "2").commit();
        edit(store).delete("b").put("a", "3").commit();

        assertThat(store.diff(1, 3))
                .extracting(KeyChange::toString)
                .containsExactlyInAnyOrder("a: '1' -> '3'", "b: '1' -> (none)", "c: (none) -> '2'");
        assertThat(store.diff(3, 1))
                .extracting(KeyChange::toString)
                .containsExactlyInAnyOrder("a: '3' -> '1'", "b: (none) -> '1'", "c: '2' -> (none)");
        assertThat(store.diff(0, 1)).hasSize(2);
        assertThat(store.diff(2, 2)).isEmpty();

        ConfigCommit back = store.rollback(1).comment("back").commit();
        assertThat(back.change()).isEqualTo(4);
        assertThat(texts(store)).isEqualTo(Map.of("a", "1", "b", "1"));
        assertThat(store.diff(1, 4)).isEmpty();
    }

    @Test
    void retain_fewChanges_keepsTheNewestOnly() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        store.retain(3);
        for (int i = 1; i <= 6; i++) {
            edit(store).put("a", String.valueOf(i)).commit();
        }

        long newest = store.history(1).get(0).change();
        assertThat(store.history(100)).hasSize(3);
        assertThat(store.change(newest - 3)).isEmpty();
        assertThatThrownBy(() -> store.rollback(newest - 5).commit()).isInstanceOf(ConfigException.class);
        store.rollback(newest - 2).commit();
        assertThat(texts(store)).isEqualTo(Map.of("a", "4"));
    }

    @Test
    void values_writtenWithoutBaton_areSeenButHaveNoHistory() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        Records records = coordinator().records("config");
        long revision = edit(store).put("a", "1").commit().revision();
        try (LiveConfig live = LiveConfig.builder(coordinator()).open()) {
            records.put("a", bytes("2"));
            records.put("b", bytes("3"));

            long foreign = records.get("b").orElseThrow().revision().order();
            assertThat(live.awaitRevision(foreign, PATIENCE)).isTrue();
            assertThat(live.get("a")).contains("2");
            assertThat(live.snapshot().change()).isEqualTo(1);
        }
        assertThat(texts(store)).isEqualTo(Map.of("a", "2", "b", "3"));
        assertThat(store.get("a").orElseThrow().text()).isEqualTo("2");
        assertThat(store.history(10)).hasSize(1);
        assertThatThrownBy(() -> edit(store).put("a", "4").expect("a", revision).commit())
                .isInstanceOf(ConfigConflictException.class);
        edit(store).put("a", "4").commit();
        assertThat(store.change(2).orElseThrow().changes())
                .extracting(KeyChange::toString)
                .containsExactly("a: '2' -> '4'");
    }

    @Test
    void value_largerThanTheStoreTakes_isRefusedAndNothingIsWritten() throws Exception {
        var baton = coordinator();
        ConfigStore store = ConfigStore.of(baton);
        String large = "x".repeat(baton.guarantees().maxBytes() + 1);

        assertThatThrownBy(() -> edit(store).put("a", "1").put("large", large).commit())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("large");

        assertThat(store.list("")).isEmpty();
        assertThat(store.history(10)).isEmpty();
    }

    @Test
    void document_malformed_isRefusedAndNothingIsWritten() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());

        assertThatThrownBy(() ->
                        edit(store).put("a", "1").put("shop.json", "{\"open\":").commit())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("shop.json");

        assertThat(store.list("")).isEmpty();
    }

    @Test
    void keys_odd_areKeptApartAndFollowed() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        Map<String, String> wanted = new TreeMap<>();
        ConfigEdit edit = edit(store);
        for (String key : OddNames.ALL) {
            if (key.chars().anyMatch(Character::isISOControl)) {
                assertThatThrownBy(() -> edit(store).put(key, "")).isInstanceOf(ConfigException.class);
            } else {
                wanted.put(key, "of " + wanted.size());
                edit.put(key, wanted.get(key));
            }
        }
        assertThatThrownBy(() -> edit(store).put("$baton", "")).isInstanceOf(ConfigException.class);

        ConfigCommit commit = edit.commit();

        assertThat(texts(store)).isEqualTo(wanted);
        assertThat(store.change(1).orElseThrow().changes()).hasSize(wanted.size());
        try (LiveConfig live = LiveConfig.builder(coordinator()).open()) {
            assertThat(live.awaitRevision(commit.revision(), PATIENCE)).isTrue();
            Map<String, String> seen = new TreeMap<>();
            live.snapshot().values().forEach((key, value) -> seen.put(key, value.text()));
            assertThat(seen).isEqualTo(wanted);
        }
    }

    @Test
    void spaces_several_areStrangersToEachOther() throws Exception {
        var baton = coordinator();
        ConfigStore one = ConfigStore.of(baton, "one");
        ConfigStore two = ConfigStore.of(baton, "two");

        edit(one).put("a", "1").commit();
        edit(two).put("a", "2").commit();

        assertThat(texts(one)).isEqualTo(Map.of("a", "1"));
        assertThat(texts(two)).isEqualTo(Map.of("a", "2"));
        assertThat(two.history(10)).hasSize(1);
    }

    private static Map<String, String> texts(ConfigStore store) throws InterruptedException {
        Map<String, String> texts = new TreeMap<>();
        store.list("").forEach((key, value) -> texts.put(key, value.text()));
        return texts;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
