package io.baton.config;

/**
 * A key's value in the store.
 *
 * @param key which
 * @param text as it is written
 * @param revision at which it was written
 * @param secret whether it is marked secret: then {@link #toString} does not show it
 */
public record ConfigValue(String key, String text, long revision, boolean secret) {

    @Override
    public String toString() {
        return key + "=" + (secret ? "(secret)" : text) + " @" + revision;
    }
}
