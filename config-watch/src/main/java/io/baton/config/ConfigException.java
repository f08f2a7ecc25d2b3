package io.baton.config;

import io.baton.CoordinationException;

/** A configuration cannot be read or written as requested; the message says which key, and why. */
public class ConfigException extends CoordinationException {

    private static final long serialVersionUID = 1L;

    /** Creates one with this reason, which is for people. */
    public ConfigException(String message) {
        super(message);
    }

    /** Creates one with this reason, which is for people, and what caused it. */
    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
