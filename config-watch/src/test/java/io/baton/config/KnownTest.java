package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Position;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a store that was set back cannot hide, however far its revisions have grown since. */
class KnownTest {

    private final Known earlier = known("two", 5);

    @Test
    void contradicts_valueOfAnEarlierRevision_isSo() {
        assertThat(known("one", 3).contradicts(earlier)).isTrue();
    }

    @Test
    void contradicts_anotherValueOfTheSameRevision_isSo() {
        assertThat(known("other", 5).contradicts(earlier)).isTrue();
    }

    @Test
    void contradicts_sameLaterOrNoValue_isNotSo() {
        assertThat(known("two", 5).contradicts(earlier)).isFalse();
        assertThat(known("three", 8).contradicts(earlier)).isFalse();
        assertThat(Known.of(new Position("", 9), FrozenMap.empty(), SpaceHead.NONE)
                        .contradicts(earlier))
                .isFalse();
    }

    private static Known known(String text, long revision) {
        var values = new TreeMap<String, ConfigValue>();
        values.put("key", new ConfigValue("key", text, revision, false));
        return Known.of(new Position("", 9), FrozenMap.copyOf(values), SpaceHead.NONE);
    }
}
