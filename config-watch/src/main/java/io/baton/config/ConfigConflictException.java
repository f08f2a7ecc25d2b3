package io.baton.config;

/** Another writer has changed the configuration, so an expectation about a key does not hold; or its canary stands. */
public final class ConfigConflictException extends ConfigException {

    private static final long serialVersionUID = 1L;

    /** Creates one with this reason, which is for people. */
    public ConfigConflictException(String message) {
        super(message);
    }
}
