package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.spi.SessionListener;
import java.util.LinkedHashMap;
import java.util.Map;

/** For tests that do not ask what becomes of a session. */
final class DeafListener implements SessionListener {

    /** What goes wrong at present. */
    final Map<String, String> troubles = new LinkedHashMap<>();

    @Override
    public void troubled(String what, String why) {
        troubles.put(what, why);
    }

    @Override
    public void resolved(String what) {
        troubles.remove(what);
    }

    @Override
    public void connected() {}

    @Override
    public void suspended() {}

    @Override
    public void proven() {}

    @Override
    public void lost(CoordinationException why) {}
}
