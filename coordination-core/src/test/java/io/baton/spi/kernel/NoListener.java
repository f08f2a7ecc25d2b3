package io.baton.spi.kernel;

import io.baton.CoordinationException;
import io.baton.spi.SessionListener;

/** For tests to which nothing of the session's life matters. */
class NoListener implements SessionListener {

    @Override
    public void connected() {}

    @Override
    public void suspended() {}

    @Override
    public void proven() {}

    @Override
    public void lost(CoordinationException why) {}
}
