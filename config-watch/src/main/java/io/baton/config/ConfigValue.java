package io.baton.config;

/**
 * A key's value in the store.
 *
 * @param key the key
 * @param text the text as written
 * @param revision the revision that wrote it
 * @param secret whether it is marked secret, so that {@link #toString} hides it
 */
public record ConfigValue(String key, String text, long revision, boolean secret) {

    @Override
    public String toString() {
        return key + "=" + (secret ? "(secret)" : text) + " @" + revision;
    }
}
