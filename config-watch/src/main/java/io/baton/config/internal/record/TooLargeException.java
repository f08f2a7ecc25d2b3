package io.baton.config.internal.record;

import io.baton.config.ConfigException;

/** A change does not fit into one transaction, while each of its keys does. */
public final class TooLargeException extends ConfigException {

    private static final long serialVersionUID = 1L;

    private final String what;

    /**
     * Takes this many transactions.
     *
     * @param what is too large, with the numbers
     */
    public TooLargeException(String what, int parts) {
        super(what + "; in parts (ConfigEdit.inParts, or --in-parts of the command) it takes " + parts
                + " transactions");
        this.what = what;
    }

    /** Returns the message without the advice to write in parts. */
    public String what() {
        return what;
    }
}
