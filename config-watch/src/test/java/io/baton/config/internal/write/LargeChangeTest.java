package io.baton.config.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.config.Canary;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigEntry;
import io.baton.config.ConfigException;
import io.baton.config.ConfigPart;
import io.baton.config.ConfigPreview;
import io.baton.config.ConfigStore;
import io.baton.config.ConfigValue;
import io.baton.config.HookedStore;
import io.baton.config.KeyChange;
import io.baton.config.internal.record.HistoryRecord;
import io.baton.config.internal.record.SpaceHead;
import io.baton.config.internal.record.SpaceRead;
import io.baton.memory.MemoryStore;
import io.baton.spi.Guarantees;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes that do not fit into one transaction. */
@Timeout(120)
class LargeChangeTest {

    private static final String STORE = "large-change";
    private static final int MANY = 1_000;

    private Coordinator other;
    private Coordinator baton;
    private ConfigStore theirs;
    private ConfigStore ours;

    /** The transactions of our client that its process lives to send; then it is killed. */
    private int livesFor = Integer.MAX_VALUE;

    private Runnable between = () -> {};

    @BeforeEach
    void open() throws InterruptedException {
        other = Coordinator.connect("mem:" + STORE);
        theirs = ConfigStore.of(other);
        var store = new HookedStore(MemoryStore.named(STORE), this::hook, (key, read) -> read.apply(key));
        baton = Coordinator.connect(store, CoordinatorOptions.defaults());
        ours = ConfigStore.of(baton);
    }

    private HookedStore.Hook hook(int transaction) {
        between.run();
        return livesFor-- > 0
                ? Supplier::get
                : send -> CompletableFuture.failedFuture(new CoordinationException("the process was killed"));
    }

    @AfterEach
    void close() {
        baton.close();
        other.close();
        MemoryStore.drop(STORE);
    }

    private static String key(int i) {
        return String.format("key-%04d", i);
    }

    private static ConfigEdit all(ConfigStore store, String text) {
        ConfigEdit edit = store.edit();
        IntStream.range(0, MANY).forEach(i -> edit.put(key(i), text));
        return edit;
    }

    private static long distinctTexts(ConfigStore store) throws InterruptedException {
        return store.list("").values().stream()
                .map(ConfigValue::text)
                .distinct()
                .count();
    }

    @Test
    void commit_keysThatStayAsTheyAre_takeNoRoom() throws InterruptedException {
        all(theirs, "1").inParts().commit();

        ConfigEdit edit = all(ours, "1").put(key(7), "2");

        assertThat(edit.preview())
                .isEqualTo(new ConfigPreview(
                        List.of(new KeyChange(key(7), Optional.of("1"), Optional.of("2"), false)), 1));
        edit.commit();
        assertThat(ours.history(1).get(0).changes()).hasSize(1);
        assertThat(ours.history(1).get(0).part()).isEmpty();
    }

    @Test
    void canary_ofManyKeysOfWhichOneDiffers_takesNoRoomForTheOthers() throws InterruptedException {
        all(theirs, "1").inParts().commit();

        Canary canary = all(ours, "1").put(key(7), "2").canary(Map.of(), 5);

        assertThat(canary.changes()).hasSize(1);
        assertThatThrownBy(() -> all(theirs, "2").canary(Map.of(), 5))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("one at a time");
        theirs.abort(canary.id());
        assertThatThrownBy(() -> all(theirs, "2").canary(Map.of(), 5))
                .hasMessageContaining("does not fit")
                .hasMessageEndingWith("a canary is one transaction");
    }

    @Test
    void rollback_fewOfManyTouchedKeysDiffer_takesNoRoomForTheOthers() throws InterruptedException {
        all(theirs, "1").inParts().commit();
        long first = theirs.history(1).get(0).change();
        all(theirs, "2").inParts().commit();
        all(theirs, "1").put(key(3), "3").inParts().commit();

        ours.rollback(first).commit();

        assertThat(ours.get(key(3)).orElseThrow().text()).isEqualTo("1");
    }

    @Test
    void expect_keyThatIsNotWritten_isGuarded() throws InterruptedException {
        long revision = theirs.edit().put("a", "1").commit().revision();
        between = () -> {
            between = () -> {};
            write("a", "by hand");
        };

        assertThatThrownBy(() -> ours.edit().put("b", "1").expect("a", revision).commit())
                .isInstanceOf(ConfigConflictException.class);
        assertThat(ours.get("b")).isEmpty();
    }

    private void write(String key, String text) {
        try {
            other.records("config").put(key, text.getBytes(StandardCharsets.UTF_8));
        } catch (InterruptedException asked) {
            throw new AssertionError(asked);
        }
    }

    @Test
    void preview_whatDoesNotFit_isRefusedAsTheCommitWouldBe() {
        int fit = (baton.guarantees().maxOps() - 4) / 2;

        for (var attempt : List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
                () -> all(ours, "1").preview(), () -> all(ours, "1").commit())) {
            assertThatThrownBy(attempt)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("a change of 1000 keys")
                    .hasMessageContaining("its first " + fit + " keys do")
                    .hasMessageContaining("--in-parts")
                    .hasMessageContaining("takes 3 transactions");
        }
    }

    @Test
    void inParts_oneThousandKeys_areWrittenInOrderUnderOneId() throws InterruptedException {
        ConfigEdit edit = all(ours, "1").secret(key(999)).comment("all").inParts();
        assertThat(edit.preview().transactions()).isEqualTo(3);
        assertThat(edit.preview().changes()).hasSize(MANY);

        ConfigCommit commit = edit.commit();

        List<ConfigEntry> history = ours.history(10);
        assertThat(commit).isEqualTo(new ConfigCommit(3, history.get(0).revision()));
        assertThat(history)
                .extracting(entry -> entry.part().orElseThrow().number())
                .containsExactly(3, 2, 1);
        assertThat(history)
                .extracting(entry -> entry.part().orElseThrow().total())
                .containsOnly(3);
        assertThat(history).extracting(entry -> entry.part().orElseThrow().of()).containsOnly(partId());
        assertThat(history).extracting(ConfigEntry::comment).containsOnly("all");
        assertThat(IntStream.of(2, 1, 0)
                        .mapToObj(history::get)
                        .flatMap(entry -> entry.changes().stream())
                        .map(KeyChange::key))
                .containsExactlyElementsOf(
                        IntStream.range(0, MANY).mapToObj(LargeChangeTest::key).toList());
        assertThat(ours.get(key(999)).orElseThrow().secret()).isTrue();
        assertThat(ours.list("")).hasSize(MANY);
    }

    private String partId() throws InterruptedException {
        return ours.history(1).get(0).part().orElseThrow().of();
    }

    @Test
    void inParts_smallChange_isWrittenAsAnyOther() throws InterruptedException {
        ours.edit().put("a", "1").inParts().commit();

        assertThat(ours.history(1).get(0).part()).isEmpty();
        assertThatThrownBy(() -> ours.edit().put("a", "1").inParts().commit()).hasMessageContaining("nothing to write");
        assertThatThrownBy(() -> ours.edit().put("a", "2").inParts().canary(java.util.Map.of(), 5))
                .hasMessageContaining("a canary is one transaction");
    }

    @Test
    void inParts_killedInTheMiddleAndMadeAgain_goesOnWithTheSameIdAndNumbers() throws InterruptedException {
        livesFor = 1;
        assertThatThrownBy(() -> all(ours, "1").inParts().commit())
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("parts 1 to 1 of 3 were written, the last one as change 1")
                .hasMessageContaining("the process was killed");
        assertThat(theirs.list("").size()).isBetween(1, MANY - 1);
        String id = theirs.history(1).get(0).part().orElseThrow().of();

        ConfigEdit again = all(theirs, "1").inParts();
        assertThat(again.preview().transactions()).isEqualTo(2);
        again.commit();

        assertThat(theirs.list("")).hasSize(MANY);
        assertThat(theirs.history(10))
                .extracting(ConfigEntry::part)
                .containsExactly(
                        Optional.of(new ConfigPart(id, 3, 3)),
                        Optional.of(new ConfigPart(id, 2, 3)),
                        Optional.of(new ConfigPart(id, 1, 3)));
        assertThat(all(theirs, "1").inParts().preview().changes()).isEmpty();
    }

    @Test
    void inParts_lastPartLeftOnly_bearsTheIdTooThoughItFitsIntoOne() throws InterruptedException {
        livesFor = 2;
        assertThatThrownBy(() -> all(ours, "1").inParts().commit()).hasMessageContaining("parts 1 to 2 of 3");

        all(theirs, "1").inParts().commit();

        assertThat(theirs.history(1).get(0).part().orElseThrow().number()).isEqualTo(3);
    }

    @Test
    void inParts_killedAndAnotherChangeMade_isAChangeOfItsOwn() throws InterruptedException {
        livesFor = 1;
        assertThatThrownBy(() -> all(ours, "1").inParts().commit()).isInstanceOf(CoordinationException.class);
        String id = theirs.history(1).get(0).part().orElseThrow().of();

        all(theirs, "2").inParts().commit();

        assertThat(theirs.history(1).get(0).part().orElseThrow().of()).isNotEqualTo(id);
        assertThat(distinctTexts(theirs)).isEqualTo(1);
    }

    @Test
    void rollback_ofOneThousandKeysKilledInTheMiddle_isCompletedByTheSame() throws InterruptedException {
        all(theirs, "1").inParts().commit();
        long wanted = theirs.history(1).get(0).change();
        all(theirs, "2").inParts().commit();
        theirs.retain(4);
        assertThatThrownBy(() -> ours.rollback(wanted).commit())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("does not fit");
        assertThatThrownBy(() -> ours.rollback(wanted).preview()).hasMessageContaining("does not fit");
        livesFor = 2;
        assertThatThrownBy(() -> ours.rollback(wanted).inParts().commit()).hasMessageContaining("parts 1 to 2 of 3");
        assertThat(distinctTexts(theirs)).isEqualTo(2);

        theirs.rollback(wanted).inParts().commit();

        assertThat(theirs.list("").values()).extracting(ConfigValue::text).containsOnly("1");
        ConfigEntry last = theirs.history(1).get(0);
        assertThat(last.part().orElseThrow().number()).isEqualTo(3);
        assertThat(last.comment()).isEqualTo("rollback to " + wanted);
        // What is no longer kept goes with the last part.
        assertThat(theirs.history(100)).hasSize(4);
    }

    @Test
    void rollback_killedWhereHistoryIsShort_stillHasWhatItIsMadeOf() throws InterruptedException {
        String large = "x".repeat(baton.guarantees().maxBytes() / 5);
        large(theirs, large + "1").commit();
        long wanted = theirs.history(1).get(0).change();
        large(theirs, large + "2").commit();
        theirs.retain((int) (theirs.history(1).get(0).change() - wanted));
        livesFor = 2;
        assertThatThrownBy(() -> ours.rollback(wanted).inParts().commit()).hasMessageContaining("parts 1 to 2 of 5");

        theirs.rollback(wanted).inParts().commit();

        assertThat(theirs.list("").values()).extracting(ConfigValue::text).containsOnly(large + "1");
        assertThat(theirs.history(100)).hasSize(5);
    }

    private static ConfigEdit large(ConfigStore store, String text) {
        ConfigEdit edit = store.edit().inParts();
        IntStream.range(0, 5).forEach(i -> edit.put(key(i), text));
        return edit;
    }

    @Test
    void rollback_somebodyWritesBetweenParts_isRefusedFromThereOn() throws InterruptedException {
        all(theirs, "1").inParts().commit();
        all(theirs, "2").inParts().commit();
        int[] transactions = {0};
        between = () -> {
            if (++transactions[0] == 2) {
                commit(theirs.edit().put("theirs", "1"));
            }
        };

        assertThatThrownBy(() -> ours.rollback(3).inParts().commit())
                .isInstanceOf(ConfigConflictException.class)
                .hasMessageContaining("parts 1 to 1 of 3");
        assertThat(theirs.get("theirs")).isPresent();
    }

    @Test
    void inParts_othersWriteOtherKeysBetween_goesOn() throws InterruptedException {
        int[] transactions = {0};
        between = () -> {
            if (++transactions[0] == 2) {
                commit(theirs.edit().put("theirs", "1"));
            }
        };

        ConfigCommit commit = all(ours, "1").inParts().commit();

        assertThat(commit.change()).isEqualTo(4);
        assertThat(theirs.history(10))
                .extracting(entry -> entry.part().isPresent())
                .containsExactly(true, true, false, true);
    }

    private static void commit(ConfigEdit edit) {
        try {
            edit.commit();
        } catch (InterruptedException asked) {
            throw new AssertionError(asked);
        }
    }

    @Test
    void inParts_largeTexts_areDividedByBytes() throws InterruptedException {
        int limit = baton.guarantees().maxBytes();
        ConfigEdit edit = ours.edit().inParts();
        for (int i = 0; i < 5; i++) {
            edit.put(key(i), "\u0001".repeat(limit / 20));
        }

        edit.commit();

        assertThat(ours.list("")).hasSize(5);
        assertThat(ours.history(10)).hasSizeBetween(2, 5);
        assertThatThrownBy(() -> ours.edit()
                        .put("a", "1")
                        .put("b", "x".repeat(limit))
                        .inParts()
                        .commit())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'b' has 0 bytes before");
    }

    /** The bytes that are allocated while a draft of so many keys is divided. */
    private static long dividing(int keys) {
        var texts = new TreeMap<String, Optional<String>>();
        IntStream.range(0, keys).forEach(i -> texts.put("key-" + i, Optional.of("1")));
        var draft = new Draft(
                texts,
                new TreeMap<>(),
                new TreeSet<>(texts.keySet()),
                new TreeSet<>(),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                "",
                "");
        var present = new SpaceRead("config", SpaceHead.NONE, Optional.empty(), Map.of());
        var limits = Guarantees.ofQuorum(100, 1_000_000, Duration.ZERO);
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        var all = Plan.keys(draft, present);
        var part = new HistoryRecord.Part("id", 1, 1, null);
        var drafts = Plan.sizes(draft, present, all, limits).parts(all).stream()
                .map(each -> draft.part(each, Set.of(), part))
                .toList();
        long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertThat(drafts.stream().mapToInt(each -> each.texts().size()).sum()).isEqualTo(keys);
        return bytes;
    }

    @Test
    void parts_tenTimesTheKeys_takeTenTimesTheWork() {
        dividing(1_000);

        assertThat(dividing(20_000)).isLessThan(30 * dividing(2_000));
    }
}
