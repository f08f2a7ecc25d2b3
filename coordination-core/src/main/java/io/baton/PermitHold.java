package io.baton;

/**
 * Permits of a {@link DistributedSemaphore} that are held. Other contenders may hold further permits at the same time,
 * so the {@link #token()} only identifies this hold.
 */
public interface PermitHold extends Hold {

    /** Returns the number of permits. */
    int permits();
}
