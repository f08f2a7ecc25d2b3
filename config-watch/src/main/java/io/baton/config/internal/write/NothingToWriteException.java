package io.baton.config.internal.write;

import io.baton.config.ConfigException;

/** A change changes nothing. */
final class NothingToWriteException extends ConfigException {

    private static final long serialVersionUID = 1L;

    /** Creates one for a change without values, or with values that are there already. */
    NothingToWriteException(boolean empty) {
        super(empty ? "nothing to write" : "nothing to write: everything is as it would be after that");
    }
}
