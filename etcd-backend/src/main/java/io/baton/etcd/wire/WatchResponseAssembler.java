package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdWire.Event;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins split watch responses. A server may report up to a thousand revisions at once, with all their values. It can
 * send them in fragments of about a request's size. A fragment may end within a revision.
 */
final class WatchResponseAssembler {

    private final List<Event> held = new ArrayList<>();

    /** Returns the events of complete revisions. Events of a possibly incomplete one wait for the next fragment. */
    List<Event> add(List<Event> piece, boolean goesOn) {
        held.addAll(piece);
        int end = held.size();
        if (goesOn && end > 0) {
            long last = held.get(end - 1).revision();
            while (end > 0 && held.get(end - 1).revision() == last) {
                end--;
            }
        }
        List<Event> whole = List.copyOf(held.subList(0, end));
        held.subList(0, end).clear();
        return whole;
    }
}
