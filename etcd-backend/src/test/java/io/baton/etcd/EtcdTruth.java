package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.tck.sim.lock.LockTruth;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the simulated cluster has committed of a line and a record. */
final class EtcdTruth implements LockTruth {

    private final SimEtcd etcd;
    private final String line;
    private final Line.Kind kind;
    private final String record;
    private final String sessions;
    private @Nullable SimStore listed;
    private long revision;
    private List<Entry> entries = List.of();

    /** {@code line} and {@code sessions} are how the keys of the line, and those of sessions, begin. */
    EtcdTruth(SimEtcd etcd, String line, Line.Kind kind, String record, String sessions) {
        this.kind = kind;
        this.sessions = sessions;
        this.etcd = etcd;
        this.line = line;
        this.record = record;
    }

    @Override
    public long version() {
        return etcd.committed();
    }

    @Override
    public List<Entry> line() {
        SimStore store = etcd.decided();
        // No key changes without another revision; a backup that is restored is another store.
        if (store != listed || store.revision() != revision) {
            entries = entriesIn(store);
            listed = store;
            revision = store.revision();
        }
        return entries;
    }

    private List<Entry> entriesIn(SimStore store) {
        return store.range(Range.below(line)).kvs().stream()
                .sorted(Comparator.comparingLong(Kv::created))
                .map(kv -> new Entry(kv.key(), kv.created(), session(kv.key())))
                .toList();
    }

    /** By what other programs see of an entry, without the code that is tested. */
    @Override
    public Claim claim(Entry entry) {
        String name = entry.name().substring(line.length());
        return switch (kind) {
            case MUTEX -> Claim.EXCLUSIVE;
            case READ_WRITE -> name.startsWith("r/") || downgraded(entry) ? Claim.SHARED : Claim.EXCLUSIVE;
            case PERMITS -> Claim.permits(Integer.parseInt(name.substring(0, name.indexOf('/'))));
        };
    }

    private boolean downgraded(Entry entry) {
        Kv kv = etcd.decided().find(entry.name());
        return kv != null
                && kv.created() == entry.token()
                && new String(kv.value(), StandardCharsets.UTF_8).endsWith("\ndowngraded=true\n");
    }

    @Override
    public boolean stands(Entry entry) {
        Kv kv = etcd.decided().find(entry.name());
        return kv != null && kv.created() == entry.token();
    }

    @Override
    public boolean alive(long session) {
        return etcd.decided().find(sessions + Long.toHexString(session)) != null;
    }

    /** The session's first lease, which its entries are named after; others' entries are of none. */
    private long session(String key) {
        String name = key.substring(kind == Line.Kind.MUTEX ? line.length() : key.lastIndexOf('/') + 1);
        int end = name.indexOf('-');
        return end < 0 ? 0 : Long.parseLong(name.substring(0, end), 16);
    }

    @Override
    public long unrefusedNanos() {
        return etcd.refusals().unrefusedNanos(line);
    }

    @Override
    public long unseenNanos() {
        return etcd.refusals().unseenNanos(line);
    }

    /** How the keys of the line begin. */
    String prefix() {
        return line;
    }

    @Override
    public @Nullable Written record() {
        Kv kv = etcd.decided().find(record);
        return kv == null ? null : new Written(new String(kv.value(), StandardCharsets.UTF_8), kv.written());
    }
}
