package io.baton.config;

import java.util.Optional;

/**
 * The change of one key.
 *
 * @param key the key
 * @param before its text before; empty if it did not exist
 * @param now its text now; empty if it no longer exists
 * @param secret whether its texts are secret, so that {@link #toString} hides them
 */
public record KeyChange(String key, Optional<String> before, Optional<String> now, boolean secret) {

    @Override
    public String toString() {
        return key + ": " + shown(before) + " -> " + shown(now);
    }

    private String shown(Optional<String> text) {
        return text.map(value -> secret ? "(secret)" : "'" + value + "'").orElse("(none)");
    }
}
