package io.baton.memory;

import io.baton.CoordinationException;
import io.baton.spi.Entry;
import io.baton.spi.PlaceListener;
import io.baton.spi.SessionListener;
import java.util.ArrayList;
import java.util.List;

/** Keeps what a session and its places are told, in one list. */
final class Told extends ArrayList<String> implements SessionListener {

    private static final long serialVersionUID = 1L;

    @Override
    public void connected() {
        add("connected");
    }

    @Override
    public void suspended() {
        add("suspended");
    }

    @Override
    public void proven() {}

    @Override
    public void lost(CoordinationException why) {
        add("lost");
    }

    /** A contender whose tellings are kept with the others, under its name. */
    PlaceListener place(String name) {
        return new PlaceListener() {
            @Override
            public void waiting() {
                add(name + " waits");
            }

            @Override
            public void clear(Entry mine) {
                add(name + " clear");
            }

            @Override
            public void lost(CoordinationException why) {
                add(name + " gone");
            }
        };
    }

    /** What was told since the last call. */
    List<String> news() {
        List<String> news = List.copyOf(this);
        clear();
        return news;
    }
}
