package io.baton.config.internal.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.config.Rig;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.SpaceHead;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the store tells, and since when it is not known whether that is the newest. */
class FollowerTest {

    private static final Position NOWHERE = new Position("", 0);

    private final Rig rig = new Rig("follower");
    private final List<StoreUpdate> updates = new ArrayList<>();
    private final List<Boolean> confirmed = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();
    private final Follower follower = from(NOWHERE);

    private record Written(long order) implements Revision {}

    private Follower from(Position before) {
        return new Follower(
                ConfigSpace.of(rig.client("x"), "config").loop(),
                before,
                updates::add,
                confirmed::add,
                () -> closed.add("closed"));
    }

    private static Position at(long revision) {
        return new Position("h", revision);
    }

    private static Item item(String name, byte[] value, long revision) {
        return new Item(new RecordKey("config", name), value, new Written(revision));
    }

    private static Item item(String name, long revision) {
        return item(name, "text".getBytes(StandardCharsets.UTF_8), revision);
    }

    private static Item head(long change) {
        SpaceHead head = SpaceHead.NONE;
        for (int i = 0; i < change; i++) {
            head = head.next(10);
        }
        return item(SpaceHead.KEY, head.encode(), 100 + change);
    }

    private static Item unreadable() {
        return item(SpaceHead.KEY, "?".getBytes(StandardCharsets.UTF_8), 99);
    }

    @Test
    void snapshot_first_isPassedOnWithWhereTheStoreWas() {
        Item other = item("a", 3);
        follower.snapshot(List.of(other, head(2)), at(5));

        assertThat(follower.seen()).isEqualTo(new Follower.Seen(at(5), 2));
        assertThat(updates).hasSize(1);
        assertThat(updates.get(0)).isInstanceOfSatisfying(StoreUpdate.Whole.class, whole -> {
            assertThat(whole.gap()).isEqualTo(StoreUpdate.Gap.NONE);
            assertThat(whole.known()).isEqualTo(NOWHERE);
            assertThat(whole.at()).isEqualTo(at(5));
            assertThat(whole.items()).containsOnlyKeys("a", SpaceHead.KEY).containsEntry("a", other);
        });
    }

    @Test
    void snapshot_afterAnEarlierProcess_isComparedWithWhereItEnded() {
        from(at(9)).snapshot(List.of(), at(5));
        follower.snapshot(List.of(), at(5));
        follower.snapshot(List.of(), at(6));

        assertThat(updates)
                .containsExactly(
                        new StoreUpdate.Whole(StoreUpdate.Gap.REWOUND, at(9), at(5), Map.of()),
                        new StoreUpdate.Whole(StoreUpdate.Gap.NONE, NOWHERE, at(5), Map.of()),
                        new StoreUpdate.Whole(StoreUpdate.Gap.RESYNCED, at(5), at(6), Map.of()));
    }

    @Test
    void snapshot_headGoneOrUnreadable_noChangeIsKnown() {
        follower.snapshot(List.of(head(2)), at(5));
        follower.snapshot(List.of(item("a", 3)), at(6));
        assertThat(follower.seen()).isEqualTo(new Follower.Seen(at(6), 0));

        follower.snapshot(List.of(head(2)), at(7));
        follower.snapshot(List.of(unreadable()), at(8));
        assertThat(follower.seen()).isEqualTo(new Follower.Seen(at(8), 0));
    }

    @Test
    void changed_records_arePassedOnAndTheLastChangeStays() {
        follower.snapshot(List.of(head(2)), at(5));
        Item put = item("a", 6);
        follower.changed(List.of(put), List.of(new RecordKey("config", "b")), 6);

        assertThat(updates.get(1))
                .isEqualTo(new StoreUpdate.Part(at(6), Map.of("a", Optional.of(put), "b", Optional.empty())));
        assertThat(follower.seen()).isEqualTo(new Follower.Seen(at(6), 2));
    }

    @Test
    void changed_head_tellsTheLastChangeIfItCanBeRead() {
        follower.snapshot(List.of(head(2)), at(5));
        follower.changed(List.of(head(3)), List.of(), 6);
        assertThat(follower.seen()).isEqualTo(new Follower.Seen(at(6), 3));

        follower.changed(List.of(unreadable()), List.of(), 7);
        assertThat(follower.seen()).isEqualTo(new Follower.Seen(at(7), 3));

        follower.changed(List.of(), List.of(new RecordKey("config", SpaceHead.KEY)), 8);
        assertThat(follower.seen()).isEqualTo(new Follower.Seen(at(8), 0));
    }

    @Test
    void changed_thenASnapshotOfLess_isRewound() {
        follower.snapshot(List.of(), at(5));
        follower.changed(List.of(), List.of(), 9);
        follower.snapshot(List.of(), at(8));

        assertThat(updates.get(2)).isEqualTo(new StoreUpdate.Whole(StoreUpdate.Gap.REWOUND, at(9), at(8), Map.of()));
    }

    @Test
    void begin_nothingSeenYet_isOfThatAge() {
        rig.pass(Duration.ofSeconds(1));
        follower.begin(new Follower.Seen(at(4), 2), Duration.ofSeconds(10));

        assertThat(follower.seen()).isEqualTo(new Follower.Seen(at(4), 2));
        assertThat(follower.unconfirmedFor()).isEqualTo(Duration.ofSeconds(10));
        rig.pass(Duration.ofSeconds(2));
        assertThat(follower.unconfirmedFor()).isEqualTo(Duration.ofSeconds(12));
    }

    @Test
    void begin_snapshotWasFirst_changesNothing() {
        follower.snapshot(List.of(), at(5));
        follower.begin(new Follower.Seen(at(4), 2), Duration.ofSeconds(10));

        assertThat(follower.seen()).isEqualTo(new Follower.Seen(at(5), 0));
        assertThat(follower.unconfirmedFor()).isZero();
    }

    @Test
    void confirmed_inContactAndCurrent_isToldOnce() {
        follower.connected();
        assertThat(confirmed).isEmpty();
        follower.snapshot(List.of(), at(5));
        follower.connected();
        follower.snapshot(List.of(), at(6));

        assertThat(confirmed).containsExactly(true);
        assertThat(follower.unconfirmedFor()).isZero();
    }

    @Test
    void confirmed_snapshotBeforeContact_waitsForIt() {
        follower.snapshot(List.of(), at(5));
        assertThat(confirmed).isEmpty();

        follower.connected();

        assertThat(confirmed).containsExactly(true);
    }

    @Test
    void suspended_confirmed_isUnconfirmedSinceThenUntilContactIsBack() {
        follower.connected();
        follower.snapshot(List.of(), at(5));
        rig.pass(Duration.ofSeconds(4));
        follower.suspended();
        rig.pass(Duration.ofSeconds(3));
        follower.suspended();

        assertThat(confirmed).containsExactly(true, false);
        assertThat(follower.unconfirmedFor()).isEqualTo(Duration.ofSeconds(3));

        follower.snapshot(List.of(), at(6));
        assertThat(confirmed).hasSize(2);
        follower.connected();
        assertThat(confirmed).containsExactly(true, false, true);
        assertThat(follower.unconfirmedFor()).isZero();
    }

    @Test
    void lost_contactIsBack_isUnconfirmedUntilASnapshot() {
        follower.connected();
        follower.snapshot(List.of(), at(5));
        follower.lost();
        assertThat(confirmed).containsExactly(true, false);

        follower.connected();
        assertThat(confirmed).hasSize(2);

        follower.snapshot(List.of(), at(5));
        assertThat(confirmed).containsExactly(true, false, true);
    }

    @Test
    void interrupted_inContact_isUnconfirmedUntilASnapshot() {
        follower.connected();
        follower.snapshot(List.of(), at(5));
        follower.interrupted();
        rig.pass(Duration.ofSeconds(4));
        follower.suspended();
        follower.connected();
        assertThat(confirmed).containsExactly(true, false);
        assertThat(follower.unconfirmedFor()).isEqualTo(Duration.ofSeconds(4));

        follower.snapshot(List.of(), at(5));

        assertThat(confirmed).containsExactly(true, false, true);
    }

    @Test
    void resumed_interruptedBefore_isConfirmedOnceThereIsContact() {
        follower.connected();
        follower.snapshot(List.of(), at(5));
        follower.interrupted();
        follower.suspended();
        follower.resumed();
        assertThat(confirmed).containsExactly(true, false);

        follower.connected();

        assertThat(confirmed).containsExactly(true, false, true);
    }

    @Test
    void closed_confirmed_isUnconfirmedAndOver() {
        follower.connected();
        follower.snapshot(List.of(), at(5));
        follower.closed();

        assertThat(confirmed).containsExactly(true, false);
        assertThat(closed).containsExactly("closed");
        rig.pass(Duration.ofSeconds(1));
        assertThat(follower.unconfirmedFor()).isEqualTo(Duration.ofSeconds(1));
    }
}
