package io.baton.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    private static final long SEED = 20261120;

    @Test
    void decode_randomUnicodeNames_givesThemBack() {
        Random random = new Random(SEED);
        Map<String, String> names = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            String name = randomName(random);
            String segment = Names.encode(name);
            assertThat(segment).as("seed %d, name %d", SEED, i).matches("[A-Za-z0-9_%-][A-Za-z0-9_.%-]*");
            assertThat(Names.decode(segment)).as("seed %d, name %d", SEED, i).isEqualTo(name);
            String other = names.put(segment, name);
            assertThat(other == null || other.equals(name)).isTrue();
        }
    }

    private static String randomName(Random random) {
        StringBuilder name = new StringBuilder();
        int length = 1 + random.nextInt(40);
        while (name.codePointCount(0, name.length()) < length) {
            int c = random.nextBoolean() ? random.nextInt(0x80) : random.nextInt(Character.MAX_CODE_POINT + 1);
            if (Character.getType(c) != Character.SURROGATE) {
                name.appendCodePoint(c);
            }
        }
        return name.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "orders,     orders",
        "a/b,        a%2Fb",
        ".,          %2E",
        "..,         %2E.",
        ".hidden,    %2Ehidden",
        "v1.2_x-Y,   v1.2_x-Y",
        "100%,       100%25",
        "süß,        s%C3%BC%C3%9F",
        "a b,        a%20b",
    })
    void encode_name_isOneSegment(String name, String segment) {
        assertThat(Names.encode(name)).isEqualTo(segment);
        assertThat(Names.decode(segment)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%2f", "%", "%4", "%GG", ".x", "%41", "%C3", "ü", "a b"})
    void decode_foreignSegment_isReturnedAsItIs(String segment) {
        assertThat(Names.decode(segment)).isEqualTo(segment);
    }

    @Test
    void check_emptyBrokenOrTooLong_isRefused() {
        assertThatThrownBy(() -> Names.check("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Names.check("x\ud800y")).hasMessageContaining("well-formed");
        assertThatThrownBy(() -> Names.check("ü".repeat(513))).hasMessageContaining("1026");
        assertThat(Names.check("ü".repeat(512))).hasSize(512);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "a//b", "//a", "a/", "/a/../b", "./a", "a\u0001b", "x\ud800y"})
    void checkPath_namesNothingOrCannotBe_isRefused(String path) {
        assertThatThrownBy(() -> Names.checkPath(path)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void checkRootedPath_withoutASlashInFront_isRefusedWhereOneIsNeeded() {
        assertThat(Names.checkPath("a/b")).isEqualTo("a/b");
        assertThat(Names.checkPath("/a/b")).isEqualTo("/a/b");
        assertThat(Names.checkRootedPath("/a/b")).isEqualTo("/a/b");
        assertThatThrownBy(() -> Names.checkRootedPath("a/b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must begin with '/'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"locks", "elections", "a/b", ".x", "sü", ""})
    void checkTree_reservedOrNeedsEncoding_isRefused(String tree) {
        assertThatThrownBy(() -> Names.checkTree(tree)).isInstanceOf(IllegalArgumentException.class);
    }
}
