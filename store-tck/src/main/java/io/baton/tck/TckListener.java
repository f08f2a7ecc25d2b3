package io.baton.tck;

import io.baton.CoordinationException;
import io.baton.spi.SessionListener;

/** A session listener that ignores all events. */
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
