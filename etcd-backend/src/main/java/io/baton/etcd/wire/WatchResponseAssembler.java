package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdWire.Event;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts together what a server splits: it may tell of up to a thousand revisions at once, with all their values, and sends
 * that in pieces of about the size of one request if asked to. The end of a piece may be in the middle of a revision.
 */
final class WatchResponseAssembler {

    private final List<Event> held = new ArrayList<>();

    /** Those of whole revisions; what may not be the whole of its revision waits for the next piece. */
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
