package io.baton.election;

import io.baton.CoordinationException;

/** A breadcrumb was not removed, and stands as it did; the message says why. */
public final class BreadcrumbException extends CoordinationException {

    private static final long serialVersionUID = 1L;

    /** Says why. */
    public BreadcrumbException(String message) {
        super(message);
    }
}
