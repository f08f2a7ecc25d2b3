package io.baton.tck;

import io.baton.CoordinationException;
import io.baton.spi.SessionListener;

/** Does not listen. */
final class TckListener implements SessionListener {

    @Override
    public void connected() {}

    @Override
    public void suspended() {}

    @Override
    public void proven() {}

    @Override
    public void lost(CoordinationException why) {}
}
