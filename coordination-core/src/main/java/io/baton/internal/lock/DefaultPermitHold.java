package io.baton.internal.lock;

import io.baton.Hold;
import io.baton.PermitHold;

/** A handle to the hold of some permits. */
final class DefaultPermitHold extends ForwardingHold implements PermitHold {

    private final int permits;

    DefaultPermitHold(Hold to, int permits) {
        super(to);
        this.permits = permits;
    }

    @Override
    public int permits() {
        return permits;
    }
}
