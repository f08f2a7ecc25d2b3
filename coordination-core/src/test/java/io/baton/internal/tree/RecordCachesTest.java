package io.baton.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.Subscription;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.session.SessionRegistry;
import io.baton.recipe.ClientLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Single records, from session to session, on sessions whose every word is the test's. */
@Timeout(60)
class RecordCachesTest {

    private static final Position AT = new Position("here", 2);

    private static final RecordKey BOSS = new RecordKey("tree", "boss");
    private static final RecordKey OTHER = new RecordKey("tree", "other");

    private final HandLoop loop = new HandLoop();
    private final SessionRegistry<TreeWatch> trees = new SessionRegistry<>(new ClientLoop(loop));
    private final RecordCaches all = new RecordCaches(new ClientLoop(loop), trees);
    private final ScriptedStore first = new ScriptedStore(loop);
    private final ScriptedStore second = new ScriptedStore(loop);
    private final List<String> told = new ArrayList<>();

    private record Written(long order) implements Revision {}

    @Test
    void add_severalOfATree_observesItOnceAndTellsEach() {
        add(BOSS);
        add(OTHER);
        trees.connected(first);
        assertThat(first.asked).containsExactly("observe tree");

        first.trees.get(0).snapshot(List.of(item(BOSS, 1)), AT);
        assertThat(told).containsExactly("boss 1", "other none");
        add(BOSS);
        assertThat(told).containsExactly("boss 1", "other none", "boss 1");
        assertThat(first.asked).hasSize(1);
    }

    @Test
    void changed_another_isNotTold() {
        add(BOSS);
        trees.connected(first);
        first.trees.get(0).snapshot(List.of(), AT);

        first.trees.get(0).changed(List.of(item(OTHER, 1)), List.of(), 3);
        first.trees.get(0).changed(List.of(item(BOSS, 2)), List.of(OTHER), 3);
        first.trees.get(0).changed(List.of(), List.of(BOSS), 3);

        assertThat(told).containsExactly("boss none", "boss 2", "boss none");
    }

    @Test
    void changed_oneListenerThrows_theOthersAreTold() {
        Subscription unused = all.add(BOSS, item -> {
            throw new IllegalStateException("a record that it cannot read");
        });
        add(BOSS);
        add(OTHER);
        trees.connected(first);

        assertThatThrownBy(() -> first.trees.get(0).snapshot(List.of(item(BOSS, 1)), AT))
                .hasMessage("a record that it cannot read");
        assertThat(told).containsExactly("boss 1", "other none");
    }

    @Test
    void ready_nextSession_tellsOnlyWhatHasChanged() {
        add(BOSS);
        add(OTHER);
        trees.connected(first);
        first.trees.get(0).snapshot(List.of(item(BOSS, 1), item(OTHER, 1)), AT);
        trees.lost();
        trees.connected(second);

        first.trees.get(0).changed(List.of(item(BOSS, 7)), List.of(), 3);
        second.trees.get(0).snapshot(List.of(item(BOSS, 1), item(OTHER, 2)), AT);

        assertThat(told).containsExactly("boss 1", "other 1", "other 2");
    }

    @Test
    void close_lastOfATree_forgetsItAndTellsNothingMore() {
        Subscription boss = add(BOSS);
        Subscription other = add(OTHER);
        trees.connected(first);
        boss.close();
        loop.run();
        assertThat(first.asked).containsExactly("observe tree");
        other.close();
        loop.run();

        first.trees.get(0).snapshot(List.of(item(BOSS, 1)), AT);
        loop.pass(Duration.ofSeconds(9));
        assertThat(first.asked).containsExactly("observe tree");
        loop.pass(Duration.ofSeconds(1));
        assertThat(first.asked).containsExactly("observe tree", "forget tree");
        assertThat(told).isEmpty();
    }

    @Test
    void add_soonAfterTheLastOneWasClosed_goesOnWithTheSameObservation() {
        Subscription boss = add(BOSS);
        trees.connected(first);
        first.trees.get(0).snapshot(List.of(item(BOSS, 1)), AT);
        boss.close();
        loop.pass(Duration.ofSeconds(9));
        first.trees.get(0).changed(List.of(item(BOSS, 2)), List.of(), 3);

        Subscription again = add(BOSS);
        loop.pass(Duration.ofSeconds(60));
        again.close();
        loop.pass(Duration.ofSeconds(9));
        assertThat(told).containsExactly("boss 1", "boss 2");
        assertThat(first.asked).containsExactly("observe tree");
        loop.pass(Duration.ofSeconds(1));
        assertThat(first.asked).containsExactly("observe tree", "forget tree");
    }

    @Test
    void close_everythingSoonAfterTheLastOne_endsTheObservationOnce() {
        Subscription boss = add(BOSS);
        trees.connected(first);
        boss.close();
        loop.run();

        trees.close();
        loop.pass(Duration.ofSeconds(60));

        assertThat(first.asked).containsExactly("observe tree", "forget tree");
    }

    @Test
    void close_twice_endsTheObservationOnce() {
        Subscription boss = add(BOSS);
        trees.connected(first);
        boss.close();
        loop.pass(Duration.ofSeconds(5));
        boss.close();
        loop.pass(Duration.ofSeconds(5));
        assertThat(first.asked).containsExactly("observe tree", "forget tree");
        add(BOSS);
        assertThat(first.asked).containsExactly("observe tree", "forget tree", "observe tree");
    }

    private Subscription add(RecordKey key) {
        Subscription added = all.add(
                key,
                item -> told.add(key.name() + " "
                        + item.map(now -> String.valueOf(((Written) now.revision()).order()))
                                .orElse("none")));
        loop.run();
        return added;
    }

    private static Item item(RecordKey key, long at) {
        return new Item(key, new byte[0], new Written(at));
    }

    @Test
    void add_onceClosed_isToldNothing() {
        add(BOSS);
        trees.connected(first);
        first.trees.get(0).snapshot(List.of(item(BOSS, 1)), AT);

        trees.close();
        add(BOSS);

        assertThat(told).containsExactly("boss 1");
        assertThat(first.asked).containsExactly("observe tree", "forget tree");
    }
}
