package io.baton.config.internal.record;

import io.baton.config.ConfigException;
import io.baton.spi.Names;

/** The rules for names of keys. */
public final class Keys {

    private Keys() {}

    /**
     * Refuses an invalid name for a user's key.
     *
     * @throws ConfigException with the reason
     */
    public static String check(String key) {
        if (key.startsWith("$")) {
            throw new ConfigException(
                    "key '" + RecordTexts.line(key) + "' begins with '$', which is kept for Baton's own");
        }
        if (key.chars().anyMatch(Character::isISOControl)) {
            throw new ConfigException("key '" + RecordTexts.line(key) + "' holds a control character");
        }
        try {
            return Names.check(key);
        } catch (IllegalArgumentException refused) {
            throw new ConfigException("key '" + RecordTexts.line(key) + "' cannot be: " + refused.getMessage());
        }
    }

    /** Returns whether it is a user's key, not one of Baton's own. */
    public static boolean users(String key) {
        return !key.startsWith("$");
    }
}
