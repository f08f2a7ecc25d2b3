package io.baton.etcd;

import io.baton.CoordinationException;
import io.baton.spi.Entry;
import io.baton.spi.PlaceListener;
import java.util.List;

/** Notes what a place is told. */
record NotedStanding(List<String> told) implements PlaceListener {

    @Override
    public void waiting() {
        told.add("waits");
    }

    @Override
    public void clear(Entry mine) {
        told.add("clear " + mine.token());
    }

    @Override
    public void lost(CoordinationException why) {
        told.add("gone");
    }
}
