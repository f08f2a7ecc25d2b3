package io.baton.tck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.Item;
import io.baton.Op;
import io.baton.Records;
import io.baton.testkit.LongRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Records are versioned values: an acknowledged write can be read, and no write overwrites another unseen. */
abstract class RecordChapter extends Chapter {

    @Test
    void get_absent_isEmpty() throws InterruptedException {
        assertThat(coordinator().records("tck").get("a")).isEmpty();
    }

    @Test
    void put_thenGet_isTheValue() throws InterruptedException {
        Records records = coordinator().records("tck");

        records.put("a", bytes("one"));
        Item first = records.get("a").orElseThrow();
        records.put("a", bytes("two"));
        Item second = records.get("a").orElseThrow();

        assertThat(first.key()).isEqualTo(records.key("a"));
        assertThat(first.text()).isEqualTo("one");
        assertThat(second.text()).isEqualTo("two");
        assertThat(second.revision()).isNotEqualTo(first.revision());
        assertThat(records.get("a").orElseThrow().revision()).isEqualTo(second.revision());
    }

    @Test
    void put_text_isTheBytesOfItsUtf8() throws InterruptedException {
        Records records = coordinator().records("tck");

        records.put("a", "s\u00fc\u00df");
        Item put = records.get("a").orElseThrow();

        assertThat(put.value()).isEqualTo(bytes("s\u00fc\u00df"));
        assertThat(put.text()).isEqualTo("s\u00fc\u00df");
        assertThat(records.create("a", "other")).isFalse();
        assertThat(records.create("b", "one")).isTrue();
        assertThat(records.compareAndSet(put, "two")).isTrue();
        assertThat(records.compareAndSet(put, "three")).isFalse();
        assertThat(texts(records.list(""))).isEqualTo(Map.of("a", "two", "b", "one"));
    }

    @Test
    void list_prefix_isTheRecordsThatBeginSoByName() throws InterruptedException {
        Coordinator baton = coordinator();
        Records records = baton.records("tck");
        assertThat(records.list("")).isEmpty();
        for (String name : List.of("app/b", "app/a", "app", "apple", "b")) {
            records.put(name, "of " + name);
        }
        baton.records("other").put("app/c", "elsewhere");

        assertThat(records.list("app/").keySet()).containsExactly("app/a", "app/b");
        assertThat(records.list("app").keySet()).containsExactly("app", "app/a", "app/b", "apple");
        assertThat(records.list("c")).isEmpty();
        Item item = records.list("b").values().iterator().next();
        assertThat(item.text()).isEqualTo("of b");
        assertThat(item.revision()).isEqualTo(records.get("b").orElseThrow().revision());
        assertThat(records.compareAndSet(item, "next")).isTrue();
    }

    @Test
    void list_oddNames_areListedAsTheyAre() throws InterruptedException {
        Records records = coordinator().records("tck");
        for (String name : OddNames.ALL) {
            records.put(name, name);
        }

        assertThat(texts(records.list("")))
                .isEqualTo(OddNames.ALL.stream().collect(Collectors.toMap(name -> name, name -> name)));
    }

    @Test
    void list_afterAWrite_hasItAtOnce() throws InterruptedException {
        Records records = coordinator().records("tck");

        for (int i = 0; i < 20; i++) {
            records.put("a" + i % 3, String.valueOf(i));
            assertThat(texts(records.list(""))).containsEntry("a" + i % 3, String.valueOf(i));
        }
        records.delete("a1");
        assertThat(records.list("").keySet()).containsExactly("a0", "a2");
    }

    @Test
    void list_whileTransactionsAreWritten_showsEachAsAWholeOrNotAtAll() throws Exception {
        Coordinator writer = coordinator();
        Records written = writer.records("tck");
        Records records = coordinator().records("tck");
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<?> writing = thread.submit(() -> {
                for (int i = 0; i < 100; i++) {
                    String value = String.valueOf(i);
                    List<Op> both = List.of(Op.put(written.key("a"), value), Op.put(written.key("b"), value));
                    assertThat(writer.transact(List.of(), both)).isTrue();
                }
                return null;
            });
            do {
                Map<String, String> seen = texts(records.list(""));
                assertThat(seen.get("a")).isEqualTo(seen.get("b"));
            } while (!writing.isDone());
            outcome(writing);
            assertThat(texts(records.list(""))).isEqualTo(Map.of("a", "99", "b", "99"));
        } finally {
            thread.shutdownNow();
        }
    }

    /** More records than one page of etcd, or one request to ZooKeeper, holds. */
    @Test
    void list_thousands_isAllOfThem() throws InterruptedException {
        Coordinator baton = coordinator();
        Records records = baton.records("tck");
        int all = 1_500;
        int at = 50;
        for (int first = 0; first < all; first += at) {
            List<Op> some = IntStream.range(first, first + at)
                    .mapToObj(i -> Op.put(records.key("k" + i), String.valueOf(i)))
                    .toList();
            assertThat(baton.transact(List.of(), some)).isTrue();
        }

        Map<String, String> listed = texts(records.list("k"));

        assertThat(listed).hasSize(all);
        assertThat(listed).allSatisfy((name, text) -> assertThat(name).isEqualTo("k" + text));
    }

    @Test
    void put_byAnother_isSeen() throws InterruptedException {
        Records here = coordinator().records("tck");
        Records there = coordinator().records("tck");

        here.put("a", bytes("one"));

        soon().until(() -> there.get("a").isPresent());
        assertThat(there.get("a").orElseThrow().text()).isEqualTo("one");
    }

    @Test
    void put_emptyValue_isNotAbsent() throws InterruptedException {
        Records records = coordinator().records("tck");

        records.put("a", new byte[0]);

        assertThat(records.get("a").orElseThrow().value()).isEmpty();
        assertThat(records.create("a", bytes("one"))).isFalse();
    }

    @Test
    void put_valueChangedByTheCallerLater_isNotAffected() throws InterruptedException {
        Records records = coordinator().records("tck");
        byte[] value = bytes("one");
        records.put("a", value);

        value[0] = '?';

        assertThat(records.get("a").orElseThrow().text()).isEqualTo("one");
    }

    @Test
    void put_largestValue_isStoredAndOneByteMoreRefused() throws InterruptedException {
        // A session that long, as its connection is given up when so much takes too long.
        Coordinator baton = coordinator();
        Records records = baton.records("tck");
        int limit = baton.guarantees().maxBytes();

        records.put("a", new byte[limit]);
        assertThat(records.get("a").orElseThrow().value()).hasSize(limit);

        assertThatThrownBy(() -> records.put("a", new byte[limit + 1])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> records.create("b", new byte[limit + 1])).isInstanceOf(IllegalArgumentException.class);
        assertThat(records.get("b")).isEmpty();
    }

    @Test
    void names_oddOnes_areRecordsOfTheirOwn() throws InterruptedException {
        Records records = coordinator().records("tck");
        for (String name : OddNames.ALL) {
            assertThat(records.create(name, bytes(name)))
                    .as("creating %s", name)
                    .isTrue();
        }
        for (String name : OddNames.ALL) {
            assertThat(records.get(name).orElseThrow().text()).isEqualTo(name);
        }
        records.delete("a");
        assertThat(records.get("a")).isEmpty();
        assertThat(records.get("a/b")).isPresent();
    }

    @Test
    void names_thatCannotBe_areRefused() throws InterruptedException {
        Coordinator baton = coordinator();
        Records records = baton.records("tck");

        assertThatThrownBy(() -> records.put("", bytes("one"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> records.put("\ud83d", bytes("one"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> baton.records("locks")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> baton.records("a/b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void trees_ofDifferentNames_areIndependent() throws InterruptedException {
        Coordinator baton = coordinator();
        baton.records("tck").put("a", bytes("one"));

        assertThat(baton.records("other").get("a")).isEmpty();
    }

    @Test
    void create_existing_isRefused() throws InterruptedException {
        Records records = coordinator().records("tck");

        assertThat(records.create("a", bytes("one"))).isTrue();
        assertThat(records.create("a", bytes("two"))).isFalse();

        assertThat(records.get("a").orElseThrow().text()).isEqualTo("one");
    }

    @Test
    void delete_existingOrNot_isGone() throws InterruptedException {
        Records records = coordinator().records("tck");
        records.delete("a");
        records.put("a", bytes("one"));

        records.delete("a");

        assertThat(records.get("a")).isEmpty();
        assertThat(records.create("a", bytes("two"))).isTrue();
    }

    @Test
    void compareAndSet_unchanged_writes() throws InterruptedException {
        Records records = coordinator().records("tck");
        records.put("a", bytes("one"));
        Item seen = records.get("a").orElseThrow();

        assertThat(records.compareAndSet(seen, bytes("two"))).isTrue();

        assertThat(records.get("a").orElseThrow().text()).isEqualTo("two");
    }

    @Test
    void compareAndSet_writtenSince_isRefused() throws InterruptedException {
        Records records = coordinator().records("tck");
        records.put("a", bytes("one"));
        Item seen = records.get("a").orElseThrow();
        coordinator().records("tck").put("a", bytes("one"));

        assertThat(records.compareAndSet(seen, bytes("two"))).isFalse();

        assertThat(records.get("a").orElseThrow().text()).isEqualTo("one");
    }

    @Test
    void compareAndSet_twiceWithOneItem_isRefusedTheSecondTime() throws InterruptedException {
        Records records = coordinator().records("tck");
        records.put("a", bytes("one"));
        Item seen = records.get("a").orElseThrow();

        assertThat(records.compareAndSet(seen, bytes("two"))).isTrue();
        assertThat(records.compareAndSet(seen, bytes("three"))).isFalse();

        assertThat(records.get("a").orElseThrow().text()).isEqualTo("two");
    }

    @Test
    void compareAndSet_deleted_isRefused() throws InterruptedException {
        Records records = coordinator().records("tck");
        records.put("a", bytes("one"));
        Item seen = records.get("a").orElseThrow();
        records.delete("a");

        assertThat(records.compareAndSet(seen, bytes("two"))).isFalse();

        assertThat(records.get("a")).isEmpty();
    }

    @Test
    void compareAndSet_deletedAndRecreatedWithTheSameBytes_isRefused() throws InterruptedException {
        Records records = coordinator().records("tck");
        records.put("a", bytes("one"));
        Item seen = records.get("a").orElseThrow();
        records.delete("a");
        assertThat(records.create("a", bytes("one"))).isTrue();

        assertThat(records.get("a").orElseThrow().revision()).isNotEqualTo(seen.revision());
        assertThat(records.compareAndSet(seen, bytes("two"))).isFalse();

        assertThat(records.get("a").orElseThrow().text()).isEqualTo("one");
    }

    @Test
    void compareAndSet_recreatedAndWrittenAsOften_isRefused() throws InterruptedException {
        Records records = coordinator().records("tck");
        records.put("a", bytes("zero"));
        records.put("a", bytes("one"));
        Item seen = records.get("a").orElseThrow();
        records.delete("a");
        records.put("a", bytes("zero"));
        records.put("a", bytes("one"));

        assertThat(records.compareAndSet(seen, bytes("two"))).isFalse();
    }

    @Test
    void compareAndSet_eightThreads_addUp() throws Exception {
        List<Records> clients =
                List.of(coordinator().records("tck"), coordinator().records("tck"));
        clients.get(0).put("counter", bytes("0"));
        int each = LongRun.rounds(5, 20);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> counting = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Records records = clients.get(i % 2);
                counting.add(threads.submit(() -> count(records, each)));
            }
            for (Future<?> thread : counting) {
                outcome(thread);
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(clients.get(0).get("counter").orElseThrow().text()).isEqualTo(String.valueOf(8 * each));
    }

    private static boolean count(Records records, int times) throws InterruptedException {
        for (int done = 0; done < times; ) {
            Item seen = records.get("counter").orElseThrow();
            String next = String.valueOf(Integer.parseInt(seen.text()) + 1);
            if (records.compareAndSet(seen, bytes(next))) {
                done++;
            }
        }
        return true;
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /** The texts of records, by their names. */
    static Map<String, String> texts(Map<String, Item> items) {
        Map<String, String> texts = new TreeMap<>();
        items.forEach((name, item) -> texts.put(name, item.text()));
        return texts;
    }
}
