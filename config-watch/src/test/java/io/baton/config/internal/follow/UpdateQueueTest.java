package io.baton.config.internal.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.internal.record.SpaceHead;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UpdateQueueTest {

    private record Number(long order) implements Revision {}

    private static final byte[] TEXT = "text".getBytes(StandardCharsets.UTF_8);
    private static final StoreState.Scope ALL = new StoreState.Scope("", key -> false);
    private static final StoreState NOTHING = StoreState.of(new Position("h", 0), FrozenMap.empty(), SpaceHead.NONE);

    private final UpdateQueue inbox = new UpdateQueue();
    private final Deque<StoreUpdate> pending = new ArrayDeque<>();

    private static Item item(String name, long revision) {
        return new Item(new RecordKey("config", name), TEXT, new Number(revision));
    }

    private static Position at(long revision) {
        return new Position("h", revision);
    }

    private static StoreUpdate part(long revision) {
        return StoreUpdate.Part.of(at(revision), List.of(item("k", revision)), List.of());
    }

    private static StoreUpdate whole(StoreUpdate.Gap gap, long known, long revision) {
        return StoreUpdate.Whole.of(gap, at(known), at(revision), List.of(item("k", revision)));
    }

    @Test
    void add_upToAThousand_waitInOrder() {
        for (int i = 1; i <= UpdateQueue.MOST; i++) {
            inbox.add(pending, part(i));
        }
        assertThat(pending).hasSize(UpdateQueue.MOST);
        inbox.add(pending, part(UpdateQueue.MOST + 1));
        assertThat(pending).containsExactly(part(UpdateQueue.MOST + 1));
    }

    @Test
    void add_secondSnapshot_isToldWithTheFirstAndTheWorseOfBoth() {
        inbox.add(pending, whole(StoreUpdate.Gap.REWOUND, 9, 2));
        inbox.add(pending, part(3));
        inbox.add(pending, whole(StoreUpdate.Gap.RESYNCED, 3, 4));

        assertThat(pending).containsExactly(whole(StoreUpdate.Gap.REWOUND, 9, 4));
    }

    @Test
    void add_snapshotAfterChanges_leavesThem() {
        inbox.add(pending, part(3));
        inbox.add(pending, whole(StoreUpdate.Gap.RESYNCED, 3, 4));
        assertThat(pending).hasSize(2);
    }

    @Test
    void again_isNothing() {
        assertThat(new StoreUpdate.Again().then(part(3))).isEqualTo(part(3));
        assertThat(part(3).then(new StoreUpdate.Again())).isEqualTo(part(3));
        assertThat(whole(StoreUpdate.Gap.NONE, 0, 4).then(new StoreUpdate.Again()))
                .isEqualTo(whole(StoreUpdate.Gap.NONE, 0, 4));
        assertThat(NOTHING.after(new StoreUpdate.Again(), ALL)).isEqualTo(NOTHING);
    }

    @Test
    void then_anyTwo_comeToWhatOneAfterTheOtherDoes() {
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            List<StoreUpdate> all = new ArrayList<>();
            for (int i = 1; i <= 6; i++) {
                all.add(anything(random, i));
            }
            StoreState apart = NOTHING;
            for (StoreUpdate each : all) {
                apart = apart.after(each, ALL);
            }
            StoreUpdate together = all.stream().reduce(StoreUpdate::then).orElseThrow();
            StoreState once = NOTHING.after(together, ALL);

            assertThat(once).as("seed %d", seed).isEqualTo(apart);
        }
    }

    private static StoreUpdate anything(Random random, int revision) {
        TreeMap<String, Item> put = new TreeMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String name = "k" + random.nextInt(6);
            put.put(name, item(name, revision));
        }
        if (random.nextInt(4) == 0) {
            return StoreUpdate.Whole.of(StoreUpdate.Gap.RESYNCED, at(0), at(revision), List.copyOf(put.values()));
        }
        RecordKey gone = new RecordKey("config", "k" + random.nextInt(6));
        List<RecordKey> gones = put.containsKey(gone.name()) ? List.of() : List.of(gone);
        return StoreUpdate.Part.of(at(revision), List.copyOf(put.values()), gones);
    }
}
