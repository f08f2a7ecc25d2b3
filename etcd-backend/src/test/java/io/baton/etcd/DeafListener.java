package io.baton.etcd;

import io.baton.CoordinationException;
import io.baton.spi.SessionListener;

/** For tests that do not ask what becomes of a session. */
class DeafListener implements SessionListener {

    @Override
    public void connected() {}

    @Override
    public void suspended() {}

    @Override
    public void proven() {}

    @Override
    public void lost(CoordinationException why) {}
}
