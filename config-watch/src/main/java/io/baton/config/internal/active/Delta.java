package io.baton.config.internal.active;

/** The change that a listener gets in one call. Consecutive ones can be merged. */
interface Delta<D> {

    /** Merges this one and the next. */
    D then(D next);

    /** Returns whether there is nothing to report, because all is as in the last call. */
    boolean isNothing();
}
