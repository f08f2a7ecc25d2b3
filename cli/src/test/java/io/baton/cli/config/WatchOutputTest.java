package io.baton.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Position;
import io.baton.config.ConfigEvent;
import io.baton.config.ConfigSource;
import io.baton.config.KeyChange;
import io.baton.config.Rejection;
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
    void of_rejectionAndItsEnd_areTold() {
        Rejection why = new Rejection(7, 3, "$baton", "is not as Baton writes it\u001b");
        WatchOutput rejected = WatchOutput.of(new ConfigEvent.Rejected(why)).orElseThrow();
        WatchOutput recovered = WatchOutput.of(new ConfigEvent.Recovered(9)).orElseThrow();

        assertThat(rejected.lines(Shown.discreet()).get(0).substring(14))
                .isEqualTo("rejected: change 3, revision 7: $baton: is not as Baton writes it\\u001b");
        assertThat(rejected.json(Shown.discreet()))
                .matches("\\{\"event\":\"rejected\",\"time\":\"[^\"]+\",\"revision\":7,\"change\":3,"
                        + "\"key\":\"\\$baton\",\"reason\":\"is not as Baton writes it.+\"}");
        assertThat(recovered.lines(Shown.discreet()).get(0).substring(14))
                .isEqualTo("recovered: what the store has is read again, at revision 9");
        assertThat(recovered.json(Shown.discreet()))
                .matches("\\{\"event\":\"recovered\",\"time\":\"[^\"]+\",\"revision\":9}");
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
