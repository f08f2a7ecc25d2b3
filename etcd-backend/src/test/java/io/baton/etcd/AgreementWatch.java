package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Notes what a watch tells, a line for each revision: a server may tell of several at once. */
final class AgreementWatch implements EtcdWire.Watcher {

    final Range range;
    final long from;
    final List<String> lines = new CopyOnWriteArrayList<>();
    private final AgreementText text;
    private volatile @Nullable Watch watch;
    private volatile boolean created;
    private volatile boolean over;
    private volatile boolean closed;
    private volatile long told;

    AgreementWatch(Range range, long from, AgreementText text) {
        this.range = range;
        this.from = from;
        this.text = text;
    }

    /** On the wire's loop. */
    void open(EtcdWire wire) {
        watch = wire.watch(range, from, this);
    }

    /** On the wire's loop. */
    void close() {
        Watch opened = watch;
        if (opened != null) {
            opened.close();
        }
        closed = true;
    }

    boolean created() {
        return created || over;
    }

    /** The server has ended it. */
    boolean over() {
        return over;
    }

    boolean closed() {
        return closed;
    }

    /** The newest revision it has told of. */
    long told() {
        return told;
    }

    @Override
    public void created(Header header) {
        lines.add("created " + text.header(header));
        created = true;
    }

    @Override
    public void events(List<Event> events, Header header) {
        var same = new ArrayList<Event>();
        for (Event event : events) {
            if (!same.isEmpty() && same.get(0).revision() != event.revision()) {
                tell(same, header);
                same.clear();
            }
            same.add(event);
        }
        tell(same, header);
    }

    @Override
    public void ended(Fault why) {
        lines.add("ended " + text.fault(why));
        over = true;
    }

    private void tell(List<Event> events, Header header) {
        long revision = events.get(0).revision();
        lines.add(text.events(events) + (header.revision() < revision ? ", the header is behind" : ""));
        told = revision;
    }
}
