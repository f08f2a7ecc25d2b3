package io.baton.config.internal.active;

/** Thrown when a candidate is not acceptable. */
public final class Refused extends Exception {

    private static final long serialVersionUID = 1L;

    private final String key;

    /**
     * Creates one with this reason.
     *
     * @param key the binding or key that refuses
     * @param reason for people; without secrets
     */
    public Refused(String key, String reason) {
        super(reason, null, false, false);
        this.key = key;
    }

    public String key() {
        return key;
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
