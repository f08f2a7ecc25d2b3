package io.baton.config.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The first line of a cache file, by which it is known whether the rest is whole. */
class CacheTextTest {

    private static final byte[] TEXT = bytes("{\"values\":[]}");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void refused(byte[] all, String why) {
        assertThatThrownBy(() -> CacheText.opened(all))
                .isInstanceOf(IOException.class)
                .hasMessage(why);
    }

    @Test
    void sealed_text_isBehindALineOfItsHashAndLength() {
        assertThat(text(CacheText.sealed(bytes("abc"))))
                .isEqualTo("baton-config-cache 1 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad 3\n"
                        + "abc");
    }

    @Test
    void opened_whatWasSealed_isTheText() throws IOException {
        assertThat(CacheText.opened(CacheText.sealed(TEXT))).isEqualTo(TEXT);
        assertThat(CacheText.opened(CacheText.sealed(new byte[0]))).isEmpty();
        assertThat(CacheText.opened(CacheText.sealed(bytes("\n\n")))).isEqualTo(bytes("\n\n"));
    }

    @Test
    void opened_cutOffOrChangedAnywhere_isRefused() {
        byte[] sealed = CacheText.sealed(TEXT);
        for (int length = 0; length < sealed.length; length++) {
            byte[] cutOff = Arrays.copyOf(sealed, length);
            assertThatThrownBy(() -> CacheText.opened(cutOff)).isInstanceOf(IOException.class);
        }
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            assertThatThrownBy(() -> CacheText.opened(changed)).isInstanceOf(IOException.class);
        }
        refused(Arrays.copyOf(sealed, sealed.length - 1), "it was cut off, or changed since it was written");
        refused(Arrays.copyOf(sealed, sealed.length + 1), "it was cut off, or changed since it was written");
    }

    @Test
    void opened_somethingElse_saysWhy() {
        refused(bytes(""), "it has no first line of a cache");
        refused(bytes("baton-config-cache 1 x"), "it has no first line of a cache");
        refused(bytes("x".repeat(120) + "\n"), "it is not a cache, or one of another version");
        refused(bytes("x".repeat(121) + "\n"), "it has no first line of a cache");
        refused(bytes("x".repeat(121)), "it has no first line of a cache");
        refused(bytes("other\n{}"), "it is not a cache, or one of another version");
        refused(bytes("\n"), "it is not a cache, or one of another version");
        byte[] later = bytes(text(CacheText.sealed(TEXT)).replace("cache 1 ", "cache 2 "));
        refused(later, "it is not a cache, or one of another version");
    }

    @Test
    void mayBegin_fileThatMayBeOne_isSo() {
        assertThat(CacheText.mayBegin(new byte[0])).isTrue();
        assertThat(CacheText.mayBegin(bytes("baton-"))).isTrue();
        assertThat(CacheText.mayBegin(Arrays.copyOf(CacheText.sealed(TEXT), CacheText.BEGINNING)))
                .isTrue();
        assertThat(CacheText.mayBegin(bytes("batons"))).isFalse();
        assertThat(CacheText.mayBegin(bytes("{"))).isFalse();
    }
}
