package io.baton.config.internal.active;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Position;
import io.baton.config.Bounds;
import io.baton.config.ConfigSource;
import io.baton.config.ConfigValue;
import io.baton.config.Rig;
import io.baton.config.internal.record.FrozenMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The last good values as they are kept in a file. */
class CachedTest {

    private static final Instant WRITTEN = Instant.ofEpochMilli(1_700_000_000_123L);
    private static final FrozenMap<ConfigValue> VALUES = FrozenMap.copyOf(new TreeMap<>(Map.of(
            "shop.a",
            new ConfigValue("shop.a", "1", 3, false),
            "shop.pin",
            new ConfigValue("shop.pin", "2", 4, true))));
    private static final Cached KEPT = new Cached(
            "config",
            "shop.",
            new Position("h", 7),
            5,
            "c1",
            WRITTEN,
            Optional.of(new TreeSet<>(List.of("shop.a", "shop.b"))),
            VALUES);

    private static Cached decoded(String json) throws IOException {
        return Cached.decode(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void decode_whatWasEncoded_isTheSame() throws IOException {
        assertThat(Cached.decode(KEPT.encode())).isEqualTo(KEPT);
        var unknown =
                new Cached("config", "", new Position("", 0), 0, "", WRITTEN, Optional.empty(), FrozenMap.empty());
        assertThat(Cached.decode(unknown.encode())).isEqualTo(unknown);
    }

    @Test
    void decode_somethingElse_isRefused() throws IOException {
        String whole = "{\"space\":\"s\",\"prefix\":\"\",\"history\":\"h\",\"canary\":\"\",\"values\":[]}";
        assertThat(decoded(whole).values()).isEmpty();
        for (String part : List.of(
                "\"space\":\"s\"", "\"prefix\":\"\"", "\"history\":\"h\"", "\"canary\":\"\"", "\"values\":[]")) {
            String without = whole.replace(part, "\"other\":1");
            assertThatThrownBy(() -> decoded(without)).as(part).hasMessage("it lacks what a cache has");
        }
        for (String value : List.of("{\"key\":\"a\"}", "{\"text\":\"1\"}")) {
            String with = whole.replace("[]", "[" + value + "]");
            assertThatThrownBy(() -> decoded(with)).hasMessage("it has a value without a key or text");
        }
        assertThatThrownBy(() -> decoded("?")).hasMessage("it is not as Baton writes it");
    }

    @Test
    void of_whatIsInUse_hasItsValuesAndTheNamesOfWhatIsBound() {
        Bounds bounds = new Bounds(new Rig("cached"));
        ActiveConfig now = bounds.state(ConfigSource.LIVE, "c1", "a", "1", "b", "1")
                .with(bounds.number("b"), 1)
                .with(bounds.number("a"), 1);

        Cached kept = Cached.of("config", "x.", now, WRITTEN);

        assertThat(kept)
                .isEqualTo(new Cached(
                        "config",
                        "x.",
                        new Position("h", 7),
                        3,
                        "c1",
                        WRITTEN,
                        Optional.of(new TreeSet<>(List.of("a", "b"))),
                        now.values()));
    }

    @Test
    void age_clock_isNeverBeforeItWasWritten() {
        assertThat(KEPT.age(WRITTEN.plusSeconds(3))).isEqualTo(Duration.ofSeconds(3));
        assertThat(KEPT.age(WRITTEN)).isZero();
        assertThat(KEPT.age(WRITTEN.minusSeconds(3))).isZero();
    }
}
