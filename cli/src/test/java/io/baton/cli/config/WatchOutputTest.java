package io.baton.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Position;
import io.baton.config.ConfigEvent;
import io.baton.config.ConfigSource;
import io.baton.config.KeyChange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WatchOutputTest {

    private static final Position AT = new Position("h", 7);
    private static final KeyChange SECRET =
            new KeyChange("password", Optional.of("hunter2"), Optional.of("hunter3"), true);

    @Test
    void of_storeSetBack_isTold() {
        WatchOutput sight = WatchOutput.of(new ConfigEvent.Rewound(new Position("h", 9), AT, List.of(SECRET)))
                .orElseThrow();
        assertThat(sight.lines(Shown.discreet()).get(0).substring(14))
                .isEqualTo("rewound: the store was set back or replaced; keys that differ: 1");
        assertThat(sight.json(Shown.discreet()))
                .matches("\\{\"event\":\"rewound\",\"time\":\"[^\"]+\",\"revision\":7,\"differences\":1}");
    }

    @Test
    void of_gap_isTold() {
        WatchOutput sight =
                WatchOutput.of(new ConfigEvent.Resynced(AT, List.of())).orElseThrow();
        assertThat(sight.lines(Shown.discreet()).get(0).substring(14))
                .isEqualTo("resynced: read anew after a gap; keys that differ: 0");
    }

    @Test
    void of_whatChangesTell_isNothing() {
        assertThat(WatchOutput.of(new ConfigEvent.Switched(ConfigSource.CACHED, ConfigSource.LIVE)))
                .isEmpty();
    }

    @Test
    void lines_secretChanged_doNotShowIt() {
        var sight = new WatchOutput.Changed(Instant.EPOCH, List.of(SECRET), 8);
        assertThat(sight.lines(Shown.discreet()) + sight.json(Shown.discreet())).doesNotContain("hunter");
        assertThat(sight.lines(new Shown(true)).get(0)).endsWith("password: hunter2 -> hunter3");
    }
}
