package io.baton.recipes.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.RecordAccess;
import io.baton.recipes.internal.RecordChange.Step;
import io.baton.testkit.sim.VirtualLoop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of one object, of which each may rest on the last one. */
@Timeout(60)
class LastWriteTest {

    private static final RecordKey KEY = new RecordKey("counters", "visits");

    private record Written(long order) implements Revision {}

    private final VirtualLoop loop = new VirtualLoop();
    private final List<String> requests = new ArrayList<>();
    private Optional<Item> now = Optional.empty();
    private long order;
    private boolean tells = true;
    private boolean answers = true;
    private boolean inContact = true;
    private SessionState state = SessionState.CONNECTED;

    private final RecipeContext context = Stub.of(
            RecipeContext.class,
            Map.of(
                    "loop", given -> new ClientLoop(loop),
                    "records", given -> records(),
                    "requestTimeout", given -> Duration.ofSeconds(10),
                    "state", given -> state,
                    "inContact", given -> inContact,
                    "beforeClosing", given -> (Subscription) () -> {}));

    private final LastWrite last = new LastWrite(context);

    private RecordAccess records() {
        return Stub.of(
                RecordAccess.class,
                Map.of(
                        "read",
                        given -> {
                            requests.add("read");
                            return CompletableFuture.completedFuture(now);
                        },
                        "writeAndTell",
                        given -> put((List<?>) given[0], (List<?>) given[1])));
    }

    private CompletableFuture<Optional<List<Item>>> put(List<?> guards, List<?> ops) {
        requests.add("put");
        Guard guard = (Guard) guards.get(0);
        boolean holds = guard instanceof Guard.Unchanged unchanged
                ? now.filter(item -> item.revision().equals(unchanged.revision()))
                        .isPresent()
                : now.isEmpty();
        if (holds) {
            write(new String(((Op.Put) ops.get(0)).value(), StandardCharsets.UTF_8));
        }
        if (!answers) {
            return CompletableFuture.failedFuture(new OutcomeUnknownException("no answer"));
        }
        List<Item> told = tells ? List.of(now.orElseThrow()) : List.of();
        return CompletableFuture.completedFuture(holds ? Optional.of(told) : Optional.empty());
    }

    private void write(String text) {
        now = Optional.of(new Item(KEY, text.getBytes(StandardCharsets.UTF_8), new Written(++order)));
    }

    /** Appends a letter, unless the text ends with it. Returns the requests that it took. */
    private List<String> append(String letter) throws InterruptedException {
        requests.clear();
        CompletableFuture<String> change = RecordChange.begin(
                context,
                KEY,
                read -> {
                    String text = read.map(Item::text).orElse("");
                    return text.endsWith(letter)
                            ? new Step.Keep<>(text)
                            : new Step.Put<>((text + letter).getBytes(StandardCharsets.UTF_8), text + letter);
                },
                last);
        loop.pass(Duration.ofSeconds(1));
        assertThat(Futures.interruptibly(change)).isEqualTo(text());
        return List.copyOf(requests);
    }

    private String text() {
        return now.orElseThrow().text();
    }

    @Test
    void change_nobodyElseWrites_fromTheThirdOnNeedsNoRead() throws InterruptedException {
        assertThat(append("a")).containsExactly("read", "put");
        assertThat(append("b")).containsExactly("read", "put");
        assertThat(append("c")).containsExactly("put");
        assertThat(append("d")).containsExactly("put");
        assertThat(text()).isEqualTo("abcd");
    }

    /** An object that reads first has a chance then. */
    @Test
    void change_oneAfterAnother_readsAtTimes() throws InterruptedException {
        append("a");
        append("b");
        for (int i = 0; i < 3; i++) {
            int reads = 0;
            for (int change = 0; change < LastWrite.MOST_IN_A_ROW; change++) {
                reads += append("c" + i + change).contains("read") ? 1 : 0;
            }
            assertThat(reads).isEqualTo(1);
        }
    }

    /** By then the store may have been set back. */
    @Test
    void change_lastOneIsLongAgo_reads() throws InterruptedException {
        append("a");
        append("b");
        loop.pass(LastWrite.RELIED_UPON);

        assertThat(append("c")).containsExactly("read", "put");
    }

    /** A write that goes into a broken contact is in doubt, and a read is not. */
    @Test
    void change_outOfContactOrClosed_reads() throws InterruptedException {
        append("a");
        append("b");
        inContact = false;
        assertThat(append("c")).containsExactly("read", "put");
        inContact = true;
        assertThat(append("d")).containsExactly("put");
        state = SessionState.CLOSED;
        assertThat(append("e")).containsExactly("read", "put");
    }

    @Test
    void change_anotherOneHasWritten_readsUntilItsOwnWriteStays() throws InterruptedException {
        append("a");
        append("b");
        write("other-");

        assertThat(append("c")).containsExactly("put", "read", "put");
        assertThat(text()).isEqualTo("other-c");
        write("again-");
        assertThat(append("d")).containsExactly("read", "put");
        assertThat(append("e")).containsExactly("read", "put");
        assertThat(append("f")).containsExactly("put");
        assertThat(text()).isEqualTo("again-def");
    }

    @Test
    void change_nothingToWriteOnTheLastWrite_readsBeforeItSaysSo() throws InterruptedException {
        append("a");
        append("b");
        write("other-");

        assertThat(append("b")).containsExactly("read", "put");
        assertThat(text()).isEqualTo("other-b");
    }

    @Test
    void change_lastOneWasNotAnswered_reads() throws InterruptedException {
        append("a");
        append("b");
        answers = false;
        CompletableFuture<String> lost = RecordChange.begin(
                context, KEY, read -> new Step.Put<>("lost".getBytes(StandardCharsets.UTF_8), ""), last);
        loop.pass(Duration.ofSeconds(30));
        assertThat(lost).isCompletedExceptionally();
        answers = true;

        assertThat(append("c")).containsExactly("read", "put");
        assertThat(text()).isEqualTo("lostc");
    }

    @Test
    void change_storeDoesNotSayWhatWasWritten_alwaysReads() throws InterruptedException {
        tells = false;
        for (String letter : List.of("a", "b", "c", "d")) {
            assertThat(append(letter)).containsExactly("read", "put");
        }
    }
}
