package io.baton.config.internal.record;

import io.baton.config.ConfigException;

/** A change that does not fit into one transaction, while each of its keys does. */
public final class TooLargeException extends ConfigException {

    private static final long serialVersionUID = 1L;

    private final String what;

    /**
     * It takes this many transactions.
     *
     * @param what is too large, with the numbers
     */
    public TooLargeException(String what, int parts) {
        super(what + "; in parts (ConfigEdit.inParts, or --in-parts of the command) it takes " + parts
                + " transactions");
        this.what = what;
    }

    /** The same for what cannot be written in parts. */
    public String what() {
        return what;
    }
}
