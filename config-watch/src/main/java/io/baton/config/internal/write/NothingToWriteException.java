package io.baton.config.internal.write;

import io.baton.config.ConfigException;

/** A change that changes nothing. */
final class NothingToWriteException extends ConfigException {

    private static final long serialVersionUID = 1L;

    /** One that has no values to write, or one whose values are there already. */
    NothingToWriteException(boolean empty) {
        super(empty ? "nothing to write" : "nothing to write: everything is as it would be after that");
    }
}
