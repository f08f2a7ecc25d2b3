package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.support.AdaptiveLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A session as well, for what stands on one. */
public final class HandGround extends HandWire implements EtcdContext {

    static final String SESSION_KEY = "/app/.sessions/4d";

    private record Owing(BooleanSupplier wanted, Runnable run) {}

    final List<Runnable> settling = new ArrayList<>();
    final List<Compare.Created> removed = new ArrayList<>();
    int refusedByEpoch;
    boolean connected = true;
    boolean open = true;
    long epoch = 10;
    long known = 10;
    private final List<Owing> owed = new ArrayList<>();
    private final RequestWindow window =
            new RequestWindow(this, this, () -> connected, AdaptiveLimit.fixed(RequestWindow.LIMIT));

    // What the test says.

    /** The session has raised its epoch. */
    void settled(long raised) {
        epoch = raised;
        List<Runnable> due = List.copyOf(settling);
        settling.clear();
        due.forEach(Runnable::run);
    }

    /** In contact again: what is owed is done. */
    void connect() {
        connected = true;
        window.connected();
        List<Owing> due = List.copyOf(owed);
        owed.clear();
        due.stream()
                .filter(one -> one.wanted().getAsBoolean())
                .forEach(one -> one.run().run());
    }

    @Override
    void lose() {
        super.lose();
        connected = false;
    }

    // Ground.

    @Override
    public EtcdWire wire() {
        return this;
    }

    @Override
    public RequestWindow window() {
        return window;
    }

    @Override
    public Loop loop() {
        return this;
    }

    @Override
    public String key(String below) {
        return "/app/" + below;
    }

    @Override
    public String key(Line line) {
        return line.exact() ? line.path() : key(line.path());
    }

    @Override
    public void removed(Collection<Compare.Created> entries) {
        removed.addAll(entries);
    }

    @Override
    public boolean inContact() {
        return connected;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public Duration timeout() {
        return Duration.ofSeconds(4);
    }

    @Override
    public String id() {
        return "0x4d";
    }

    @Override
    public void onReconnect(BooleanSupplier wanted, Runnable task) {
        owed.add(new Owing(wanted, task));
    }

    @Override
    public void retryLater(int attempt, Runnable task) {
        after(Duration.ofMillis(10L * attempt), task);
    }

    @Override
    public Compare.Written epoch() {
        return new Compare.Written(SESSION_KEY, epoch);
    }

    @Override
    public long knownRevision() {
        return known;
    }

    @Override
    public void settle(Runnable then) {
        settling.add(then);
    }

    @Override
    public void reportTrouble(String what, String why) {}

    @Override
    public void resolveTrouble(String what) {}

    @Override
    public void refusedByEpoch() {
        refusedByEpoch++;
    }
}
