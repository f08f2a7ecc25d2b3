package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.spi.Entry;
import io.baton.spi.PlaceListener;
import java.util.List;

/**
 * Notes where a place stands, in a word each.
 *
 * @param told what has been told so far
 */
record NotedStanding(List<String> told) implements PlaceListener {

    @Override
    public void waiting() {
        told.add("waits");
    }

    @Override
    public void clear(Entry mine) {
        told.add("clear");
    }

    @Override
    public void lost(CoordinationException why) {
        told.add("gone");
    }
}
