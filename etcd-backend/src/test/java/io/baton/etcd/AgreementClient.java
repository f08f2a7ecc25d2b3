package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.CoordinationException;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Asks a wire one thing after the other, and notes what it asked, was answered and was told. */
final class AgreementClient implements EtcdWire.Events, AutoCloseable {

    private static final long NOBODYS = 0x7b00_0001;

    private static final String BELOW = "~";
    private static final Comparator<String> WIDEST_LAST = Comparator.comparing((String key) -> key.endsWith(BELOW))
            .thenComparing(Comparator.comparingInt(String::length).reversed())
            .thenComparing(Comparator.naturalOrder());

    private final AgreementRig rig;
    private final String root;
    private final AgreementText text;
    private final long first;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Map<String, Long> leases = new HashMap<>();
    private final List<AgreementWatch> watches = new ArrayList<>();
    private volatile int contacts;

    /** Connects; all its keys are below this root. */
    AgreementClient(AgreementRig rig, String root) {
        this.rig = rig;
        this.root = root + "/";
        rig.open(this);
        awaitContact(1);
        Result start = this.<Result>get((now, reply) -> now.txn(Txn.read(Range.presence(root)), reply))
                .orElseThrow();
        this.first = start.header().revision();
        this.text = new AgreementText(this.root, first);
        lease("nobody", NOBODYS);
    }

    /** What was asked and answered, in order, and then what each watch told. */
    List<String> lines() {
        var all = new ArrayList<>(lines);
        for (int i = 0; i < watches.size(); i++) {
            String name = "watch " + i + ": ";
            watches.get(i).lines.forEach(line -> all.add(name + line));
        }
        return all;
    }

    // ---- names

    String key(String name) {
        return root + name;
    }

    /** A revision that is so much later than the first; not 0. */
    long revision(long later) {
        return first + later;
    }

    /** How much later than the first. */
    long later(long revision) {
        return revision - first;
    }

    long lease(String name) {
        return name.isEmpty() ? 0 : leases.get(name);
    }

    Put put(String name, String value, String lease) {
        return new Put(key(name), value.getBytes(UTF_8), lease(lease));
    }

    Delete delete(String name) {
        return new Delete(key(name));
    }

    private void lease(String name, long id) {
        leases.put(name, id);
        text.name(id, name);
    }

    // ---- requests

    void grant(String name, Duration ttl) {
        String line = "grant " + name + " for " + ttl;
        this.<Lease>ask(line, (now, reply) -> now.grant(ttl, reply), lease -> {
            lease(name, lease.id());
            return lease(lease);
        });
    }

    void keepAlive(String name) {
        this.<Lease>ask("renew " + name, (now, reply) -> now.keepAlive(lease(name), reply), this::lease);
    }

    void revoke(String name) {
        this.<Header>ask("revoke " + name, (now, reply) -> now.revoke(lease(name), reply), text::header);
    }

    Optional<Result> write(Request... requests) {
        return txn(new Txn(List.of(), List.of(requests), List.of()));
    }

    List<Kv> read(Range range) {
        return txn(Txn.read(range)).map(result -> result.parts().get(0).kvs()).orElse(List.of());
    }

    Optional<Result> txn(Txn txn) {
        return this.<Result>ask(text.txn(txn), (now, reply) -> now.txn(txn, reply), text::result);
    }

    private String lease(Lease lease) {
        return text.header(lease.header()) + text.lease(lease.id()) + " " + lease.ttl();
    }

    private <T> Optional<T> ask(String what, Witness.Asking<T> asking, Function<T, String> shown) {
        var line = new CompletableFuture<String>();
        var value = new CompletableFuture<Optional<T>>();
        rig.on(now -> asking.ask(now, (fault, answer) -> {
            line.complete(fault.ok() && answer != null ? shown.apply(answer) : text.fault(fault));
            value.complete(Optional.ofNullable(answer));
        }));
        rig.until(value::isDone);
        lines.add(what + " -> " + line.getNow("no answer"));
        return value.getNow(Optional.empty());
    }

    private <T> Optional<T> get(Witness.Asking<T> asking) {
        var value = new CompletableFuture<Optional<T>>();
        rig.on(now -> asking.ask(now, (fault, answer) -> value.complete(Optional.ofNullable(answer))));
        rig.until(value::isDone);
        return value.getNow(Optional.empty());
    }

    // ---- watches

    /** Opens a watch; the server has begun it when this returns. */
    AgreementWatch watch(Range range, long from) {
        var watch = new AgreementWatch(range, from, text);
        lines.add("watch " + watches.size() + " on " + text.range(range) + " from " + text.revision(from));
        watches.add(watch);
        rig.on(watch::open);
        await("it to be created", watch::created);
        return watch;
    }

    /** Closes it, once every watch has told what there was to tell. */
    void close(AgreementWatch watch) {
        fence();
        lines.add("close watch " + watches.indexOf(watch));
        var closed = new CompletableFuture<Boolean>();
        rig.on(now -> {
            watch.close();
            closed.complete(true);
        });
        rig.until(closed::isDone);
    }

    /** Those that have not been closed; some may have ended, early or late. */
    List<AgreementWatch> open() {
        return watches.stream().filter(watch -> !watch.closed()).toList();
    }

    private long live() {
        return open().stream().filter(watch -> !watch.over()).count();
    }

    /**
     * Writes what each watch has to tell of, the widest last, and waits until it has, and so all that was before, or has
     * ended.
     */
    void fence() {
        var fences = new TreeMap<String, Long>(WIDEST_LAST);
        open().forEach(watch -> fences.put(fence(watch), 0L));
        fences.replaceAll((key, none) -> {
            write(new Put(key, new byte[0], 0));
            return write(new Delete(key))
                    .map(result -> result.header().revision())
                    .orElse(0L);
        });
        for (AgreementWatch watch : open()) {
            long revision = fences.get(fence(watch));
            if (watch.from <= revision) {
                await("watch " + watches.indexOf(watch), () -> watch.over() || watch.told() >= revision);
            }
        }
    }

    private static String fence(AgreementWatch watch) {
        return watch.range.key() + (watch.range.prefix() ? BELOW : "");
    }

    /** Until the server keeps as many watches as are open. */
    void awaitWatches() {
        await("the server to keep no other watches", () -> rig.watches() == live());
    }

    /** Until this watch has told of something, or has ended. */
    void awaitTold(AgreementWatch watch) {
        await("watch " + watches.indexOf(watch), () -> watch.over() || watch.told() > 0);
    }

    // ---- contact

    /**
     * Gives up the connection with a read under way, and waits for the next one. Whether the read, or the one after, is
     * answered yet depends on the time.
     */
    void reconnect() {
        int now = contacts;
        rig.on(wire -> {
            wire.txn(Txn.read(Range.key(root)), (fault, answer) -> lines.add("answered before"));
            wire.reconnect("for the test");
            wire.reconnect("again");
            wire.txn(Txn.read(Range.key(root)), (fault, answer) -> lines.add("answered after"));
        });
        awaitContact(now + 1);
        text.moved();
    }

    /** Closes the wire with requests under way, and asks more; nobody is told anything. */
    void closeTheWire() {
        rig.on(wire -> {
            wire.txn(Txn.read(Range.key(root)), (fault, answer) -> lines.add("answered before"));
            wire.close();
            wire.txn(Txn.read(Range.key(root)), (fault, answer) -> lines.add("answered after"));
        });
        await("the server to drop the watches", () -> rig.watches() == 0);
        leases.clear(); // nobody is asked to end them
    }

    // ---- the rest

    /** Compacts, once every watch has told what there was to tell. */
    void compact(long revision) {
        fence();
        lines.add("compact " + text.revision(revision));
        rig.compact(revision);
    }

    private void awaitContact(int which) {
        if (!rig.until(() -> contacts >= which)) {
            throw new AssertionError("no contact");
        }
    }

    private void await(String what, BooleanSupplier condition) {
        if (!rig.until(condition)) {
            throw new AssertionError("waited in vain for " + what + " after\n" + String.join("\n", lines()));
        }
    }

    @Override
    public void connected() {
        contacts++;
    }

    @Override
    public void disconnected(String why) {
        lines.add("disconnected: " + why + ", with " + live() + " watches");
    }

    @Override
    public void trouble(String why) {
        lines.add("trouble: " + why);
    }

    @Override
    public void rejected(CoordinationException why) {
        lines.add("over: " + why.getMessage());
    }

    /** Leaves no lease behind that could end later. */
    @Override
    public void close() {
        leases.values().forEach(lease -> this.<Header>get((now, reply) -> now.revoke(lease, reply)));
        rig.close();
    }
}
