package io.baton.config;

import io.baton.CoordinationException;

/** A configuration that cannot be had or written as asked; the message says which key, and why. */
public class ConfigException extends CoordinationException {

    private static final long serialVersionUID = 1L;

    /** For this reason, which is for people. */
    public ConfigException(String message) {
        super(message);
    }
}
