package io.baton.internal.line;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.session.Requests;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.Resource;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who stands in a line, read as seldom as possible. */
@Timeout(60)
class LineEntriesTest {

    private static final Resource BOSS = Resource.named("election", "boss");

    private final HandLoop loop = new HandLoop();
    private final ScriptedStore store = new ScriptedStore(loop);
    private final Requests requests = new Requests(new ClientLoop(loop), Duration.ofSeconds(1));
    private final LineEntries entries = new LineEntries(requests);

    @Test
    void all_again_readsOnlyWhomItDoesNotKnow() {
        requests.connected(store);
        stand("a", "b");
        assertThat(names()).containsExactly("a", "b");
        stand("b", "c");
        assertThat(names()).containsExactly("b", "c");

        assertThat(details()).containsExactly("details a", "details b", "details c");
    }

    @Test
    void all_somebodyGoesMeanwhile_isLeftOutAndNotKept() {
        requests.connected(store);
        stand("a", "b");
        store.details.remove("b");
        assertThat(names()).containsExactly("a");
        stand("a", "b");

        assertThat(names()).containsExactly("a", "b");
        assertThat(details()).containsExactly("details a", "details b", "details b");
    }

    @Test
    void all_veryManyLines_keepsTheLast() {
        requests.connected(store);
        stand("a");
        int lines = 3 * LineEntries.MOST_LINES;
        for (int i = 1; i <= lines; i++) {
            look("line" + i);
        }
        store.asked.clear();
        look("line" + lines);
        assertThat(store.asked).containsExactly("peers line" + lines);

        look("line1");

        assertThat(details()).containsExactly("details a");
    }

    private void look(String line) {
        Futures.onDone(
                entries.all(Line.of(line), BOSS),
                (all, failure) -> assertThat(all).hasSize(1));
        loop.run();
    }

    @Test
    void readOnce_longLine_asksForAFewAtOnce() {
        stand(IntStream.range(0, 1_000).mapToObj(Integer::toString).toArray(String[]::new));
        store.detailsWait = true;

        CompletableFuture<List<Entry>> all =
                LineEntries.readOnce(store, BOSS.line()).toCompletableFuture();

        assertThat(store.waitingDetails).hasSize(32);
        for (int answered = 0; answered < 1_000; answered++) {
            Peer peer = store.peers.get(answered);
            store.waitingDetails.get(answered).complete(Optional.ofNullable(store.details.get(peer.name())));
            assertThat(store.waitingDetails).hasSize(Math.min(1_000, answered + 33));
        }
        assertThat(all).isCompletedWithValueMatching(entries -> entries.size() == 1_000);
    }

    private void stand(String... names) {
        store.peers.clear();
        for (int i = 0; i < names.length; i++) {
            Peer peer = new Peer(BOSS.line(), names[i], names[i].charAt(0));
            store.peers.add(peer);
            store.details.put(names[i], new Entry(peer, i, new byte[0], "session"));
        }
    }

    private List<String> details() {
        return store.asked.stream().filter(what -> what.startsWith("details")).toList();
    }

    private List<String> names() {
        List<String> told = new ArrayList<>();
        Futures.onDone(
                entries.all(BOSS.line(), BOSS),
                (all, failure) -> all.forEach(each -> told.add(each.peer().name())));
        loop.run();
        return told;
    }
}
