package io.baton.config;

/** Somebody else has written meanwhile: what was expected of a key does not hold. */
public final class ConfigConflictException extends ConfigException {

    private static final long serialVersionUID = 1L;

    /** For this reason, which is for people. */
    public ConfigConflictException(String message) {
        super(message);
    }
}
