package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Position;
import io.baton.SessionState;
import io.baton.config.internal.follow.Follower;
import io.baton.config.internal.record.ConfigSpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a configuration knows of its store, and what it tells of that. */
class FollowTest {

    private final Rig rig = new Rig("follow");
    private final List<ConfigEvent> events = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    private LiveConfig open() {
        LiveConfig config = rig.open();
        config.onEvent(events::add);
        config.onPrefix("", ListenerOptions.named("all"), (changes, revision) -> told.add(changes.toString()));
        rig.loop.run();
        return config;
    }

    @Test
    void open_storeThere_isLiveWithItsValues() {
        rig.write("limit", "5", "name", "shop");

        LiveConfig config = open();

        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.LIVE);
        assertThat(config.get("limit")).contains("5");
        assertThat(config.get("absent")).isEmpty();
        assertThat(config.snapshot().values()).containsOnlyKeys("limit", "name");
        assertThat(config.status().healthy()).isTrue();
        assertThat(told).containsExactly("[limit: (none) -> '5', name: (none) -> 'shop']");
        assertThat(events).isEmpty();
    }

    @Test
    void change_ofTwoKeys_isToldAtOnce() {
        LiveConfig config = open();
        rig.write("limit", "5", "name", "shop");
        rig.write("limit", "6");
        rig.write("name", null);

        assertThat(told)
                .containsExactly(
                        "[]",
                        "[limit: (none) -> '5', name: (none) -> 'shop']",
                        "[limit: '5' -> '6']",
                        "[name: 'shop' -> (none)]");
        assertThat(config.get("limit")).contains("6");
        assertThat(config.get("name")).isEmpty();
        assertThat(config.status().applied()).isEqualTo(config.status().seen());
    }

    @Test
    void key_deletedAndMadeAgainWhileCutOff_isToldThoughItsTextIsTheSame() {
        rig.write("limit", "5", "other", "1");
        LiveConfig config = open();
        told.clear();
        rig.cutFor(Duration.ofSeconds(1), () -> {
            rig.write("limit", null);
            rig.write("limit", "5");
        });

        assertThat(told).containsExactly("[limit: '5' -> '5']");
        assertThat(events).hasSize(1);
        assertThat(((ConfigEvent.Resynced) events.get(0)).differences())
                .containsExactly(new KeyChange("limit", Optional.of("5"), Optional.of("5"), false));
        assertThat(config.status().healthy()).isTrue();
    }

    @Test
    void gap_nothingDiffers_isToldAsResynced() {
        rig.write("limit", "5");
        open();
        told.clear();
        rig.store.expireSessions("app");
        rig.pass(Duration.ofSeconds(5));

        assertThat(events).hasSize(1);
        assertThat(((ConfigEvent.Resynced) events.get(0)).differences()).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void reservedKeys_areNoValues() {
        rig.write(
                "$baton", "{\"change\":7,\"oldest\":1,\"retain\":10,\"secrets\":[\"pin\"]}", "pin", "1234", "$x", "y");
        LiveConfig config = open();

        assertThat(config.snapshot().values()).containsOnlyKeys("pin");
        assertThat(config.snapshot().change()).isEqualTo(7);
        assertThat(config.status().seenChange()).isEqualTo(7);
        assertThat(config.snapshot().value("pin").orElseThrow().secret()).isTrue();
        assertThat(told).containsExactly("[pin: (none) -> (secret)]");
    }

    @Test
    void status_outOfContact_saysForHowLong() {
        LiveConfig config = open();
        assertThat(config.status().unconfirmedFor()).isZero();
        rig.store.suspend("app");
        rig.pass(Duration.ofSeconds(3));
        assertThat(config.status().unconfirmedFor()).isEqualTo(Duration.ofSeconds(3));
        assertThat(config.status().contact()).isEqualTo(SessionState.SUSPENDED);
        assertThat(config.status().healthy()).isFalse();
        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.LIVE);
        rig.pass(Duration.ofSeconds(1));
        rig.store.resume();
        rig.loop.run();
        assertThat(config.status().unconfirmedFor()).isZero();
        assertThat(config.status().healthy()).isTrue();
    }

    @Test
    void status_newSession_isConfirmedOnlyBySnapshot() {
        Follower follower = new Follower(
                ConfigSpace.of(rig.client("x"), "config").loop(),
                new Position("", 0),
                news -> {},
                confirmed -> {},
                () -> {});
        follower.connected();
        assertThat(follower.unconfirmedFor()).isEqualTo(Duration.ZERO);
        rig.pass(Duration.ofSeconds(1));
        assertThat(follower.unconfirmedFor()).isEqualTo(Duration.ofSeconds(1));
        follower.snapshot(List.of(), new Position("h", 1));
        assertThat(follower.unconfirmedFor()).isZero();
        follower.lost();
        rig.pass(Duration.ofSeconds(2));
        follower.connected();
        rig.pass(Duration.ofSeconds(3));
        assertThat(follower.unconfirmedFor()).isEqualTo(Duration.ofSeconds(5));
        follower.snapshot(List.of(), new Position("h", 1));
        assertThat(follower.unconfirmedFor()).isZero();
    }

    @Test
    void prefix_onlyKeysThatBeginSo_butEachRevision() {
        LiveConfig config = rig.open(rig.builder().prefix("shop."));
        rig.write("shop.a", "1", "other", "1");
        rig.write("other", "2");

        assertThat(config.snapshot().values()).containsOnlyKeys("shop.a");
        assertThat(config.status().applied()).isEqualTo(config.status().seen());
        assertThat(config.get("other")).isEmpty();
    }

    @Test
    void secretMark_setLater_isKnownOfValuesThatWereThere() {
        rig.write("pin", "1234", "open", "1");
        LiveConfig config = open();
        rig.write("$baton", "{\"change\":1,\"oldest\":1,\"retain\":10,\"secrets\":[\"pin\"]}");

        assertThat(config.snapshot().value("pin").orElseThrow().secret()).isTrue();
        assertThat(config.snapshot().value("open").orElseThrow().secret()).isFalse();
        assertThat(told).hasSize(1);
    }
}
