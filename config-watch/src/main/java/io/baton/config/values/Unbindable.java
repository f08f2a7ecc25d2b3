package io.baton.config.values;

/** Texts that make no value, as they are; the message says which path, where it was written, and what was expected. */
public final class Unbindable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String key;

    /**
     * For this reason.
     *
     * @param key the path, or the key of the document, that is at fault
     * @param reason for people; without secrets
     */
    public Unbindable(String key, String reason) {
        super(reason);
        this.key = key;
    }

    /** The path, or the key of the document, that is at fault. */
    public String key() {
        return key;
    }

    /** Why, for people. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
