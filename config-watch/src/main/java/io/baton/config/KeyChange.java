package io.baton.config;

import java.util.Optional;

/**
 * What became of one key.
 *
 * @param key which
 * @param before its text before; empty if it was not there
 * @param now its text now; empty if it is not there any more
 * @param secret whether its texts are secret: then {@link #toString} does not show them
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
