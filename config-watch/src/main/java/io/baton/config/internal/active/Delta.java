package io.baton.config.internal.active;

/** What a listener is to be told in one call. Two that follow each other can be told as one. */
interface Delta<D> {

    /** This one and the next as one. */
    D then(D next);

    /** Whether there is nothing to tell, because all is as it was told before. */
    boolean isNothing();
}
