package io.baton.config;

/** An exception as a program may throw it by a mistake of its own. */
final class Unprintable extends RuntimeException {

    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
        throw new UnsupportedOperationException("on purpose");
    }
}
