package io.baton.config.values;

/** The texts do not make a valid value. The message says which path, where it was written, and what was expected. */
public final class Unbindable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String key;

    /**
     * Creates one with this reason.
     *
     * @param key the path, or the key of the document, with the problem
     * @param reason for people; without secrets
     */
    public Unbindable(String key, String reason) {
        super(reason);
        this.key = key;
    }

    /** Returns the path, or the key of the document, with the problem. */
    public String key() {
        return key;
    }

    /** Returns the reason, for people. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
