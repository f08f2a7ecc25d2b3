package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.HandGround;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Watcher;
import io.baton.spi.support.SendStamp;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a watch tells goes to who asked for it, and how far the store is to who looks for rewinds. */
class TimedWireTest implements TimedWire.Witness, Watcher {

    private final HandGround context = new HandGround();
    private final List<String> told = new ArrayList<>();

    @Test
    void watch_whatItTells_saysHowFarTheStoreIs() {
        new TimedWire(context, this, this::unanswered).watch(Range.below("/app/tck/"), 5, this);

        context.watch().to.created(HandGround.header(7));
        context.watch().to.events(List.of(HandGround.gone("/app/tck/a", 8)), HandGround.header(8));
        context.watch().end(Code.LOST);

        assertThat(told)
                .containsExactly("heard 7", "set", "created 7", "heard 8", "events 8", "lost since 3", "ended LOST");
        assertThat(context.watch().from).isEqualTo(5);
    }

    @Test
    void close_andReconnect_goThrough() {
        var wire = new TimedWire(context, this, this::unanswered);

        wire.reconnect("why");
        wire.close();

        assertThat(context.reconnects).isEqualTo(1);
        assertThat(context.closed).isTrue();
    }

    @Override
    public void onHeader(Header header) {
        told.add("heard " + header.revision());
    }

    @Override
    public void created(Header header) {
        told.add("created " + header.revision());
    }

    @Override
    public void events(List<Event> events, Header header) {
        told.add("events " + header.revision());
    }

    @Override
    public void ended(Fault why) {
        told.add("ended " + why.code());
    }

    @Override
    public void watchCreated() {
        told.add("set");
    }

    @Override
    public void watchLost(SendStamp requested, String why) {
        told.add("lost since " + requested.nanos());
    }

    @Override
    public SendStamp stamp() {
        return new SendStamp(3, 0, 0);
    }

    @Override
    public Object before() {
        throw new AssertionError("no affair of watches");
    }

    @Override
    public void missing(long lease, SendStamp sent, Object before, Header header) {
        told.add("missing " + lease);
    }

    @Override
    public void renewed(long lease, SendStamp sent, Object before, Header header) {
        throw new AssertionError("no affair of watches");
    }

    @Override
    public void confirmed(SendStamp sent, RewindDetector.Mark known, Header header) {
        throw new AssertionError("no affair of watches");
    }

    @Override
    public RewindDetector.Mark mark() {
        throw new AssertionError("no affair of watches");
    }

    private void unanswered(SendStamp sent, String why) {
        throw new AssertionError("no affair of watches");
    }

    @Override
    public boolean isOpen() {
        return true;
    }
}
