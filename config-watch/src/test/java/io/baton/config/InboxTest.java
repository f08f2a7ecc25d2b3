package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.Revision;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class InboxTest {

    private record Number(long order) implements Revision {}

    private static final byte[] TEXT = "text".getBytes(StandardCharsets.UTF_8);
    private static final Known.Scope ALL = new Known.Scope("", key -> false);
    private static final Known NOTHING = Known.of(new Position("h", 0), FrozenMap.empty(), SpaceHead.NONE);

    private final Inbox inbox = new Inbox();
    private final Deque<News> pending = new ArrayDeque<>();

    private static Item item(String name, long revision) {
        return new Item(new RecordKey("config", name), TEXT, new Number(revision));
    }

    private static Position at(long revision) {
        return new Position("h", revision);
    }

    private static News part(long revision) {
        return News.Part.of(at(revision), List.of(item("k", revision)), List.of());
    }

    private static News whole(News.Gap gap, long known, long revision) {
        return News.Whole.of(gap, at(known), at(revision), List.of(item("k", revision)));
    }

    @Test
    void add_upToAThousand_waitInOrder() {
        for (int i = 1; i <= Inbox.MOST; i++) {
            inbox.add(pending, part(i));
        }
        assertThat(pending).hasSize(Inbox.MOST);
        inbox.add(pending, part(Inbox.MOST + 1));
        assertThat(pending).containsExactly(part(Inbox.MOST + 1));
    }

    @Test
    void add_secondSnapshot_isToldWithTheFirstAndTheWorseOfBoth() {
        inbox.add(pending, whole(News.Gap.REWOUND, 9, 2));
        inbox.add(pending, part(3));
        inbox.add(pending, whole(News.Gap.RESYNCED, 3, 4));

        assertThat(pending).containsExactly(whole(News.Gap.REWOUND, 9, 4));
    }

    @Test
    void add_snapshotAfterChanges_leavesThem() {
        inbox.add(pending, part(3));
        inbox.add(pending, whole(News.Gap.RESYNCED, 3, 4));
        assertThat(pending).hasSize(2);
    }

    @Test
    void again_isNothing() {
        assertThat(new News.Again().then(part(3))).isEqualTo(part(3));
        assertThat(part(3).then(new News.Again())).isEqualTo(part(3));
        assertThat(whole(News.Gap.NONE, 0, 4).then(new News.Again())).isEqualTo(whole(News.Gap.NONE, 0, 4));
        assertThat(NOTHING.after(new News.Again(), ALL)).isEqualTo(NOTHING);
    }

    @Test
    void then_anyTwo_comeToWhatOneAfterTheOtherDoes() {
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            List<News> all = new ArrayList<>();
            for (int i = 1; i <= 6; i++) {
                all.add(anything(random, i));
            }
            Known apart = NOTHING;
            for (News each : all) {
                apart = apart.after(each, ALL);
            }
            News together = all.stream().reduce(News::then).orElseThrow();
            Known once = NOTHING.after(together, ALL);

            assertThat(once).as("seed %d", seed).isEqualTo(apart);
        }
    }

    private static News anything(Random random, int revision) {
        TreeMap<String, Item> put = new TreeMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String name = "k" + random.nextInt(6);
            put.put(name, item(name, revision));
        }
        if (random.nextInt(4) == 0) {
            return News.Whole.of(News.Gap.RESYNCED, at(0), at(revision), List.copyOf(put.values()));
        }
        RecordKey gone = new RecordKey("config", "k" + random.nextInt(6));
        List<RecordKey> gones = put.containsKey(gone.name()) ? List.of() : List.of(gone);
        return News.Part.of(at(revision), List.copyOf(put.values()), gones);
    }
}
