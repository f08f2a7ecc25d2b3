package io.baton.config;

/** A candidate is not acceptable. */
final class Refused extends Exception {

    private static final long serialVersionUID = 1L;

    private final String key;

    /**
     * For this reason.
     *
     * @param key the binding or key that refuses
     * @param reason for people; without secrets
     */
    Refused(String key, String reason) {
        super(reason, null, false, false);
        this.key = key;
    }

    String key() {
        return key;
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
