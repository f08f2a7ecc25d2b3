package io.baton.etcd;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.etcd.wire.EtcdWire;
import io.baton.spi.Names;
import java.util.Optional;

/** The keys of one tree's records: directly below the tree, by their encoded names. */
record RecordKeys(String tree, String prefix) {

    static RecordKeys of(String tree, EtcdContext context) {
        return new RecordKeys(tree, context.key(tree) + "/");
    }

    /** The store's key of a record. */
    static String of(RecordKey key, EtcdContext context) {
        return of(key.tree(), context).prefix() + Names.encode(key.name());
    }

    /** Returns the record of this key; empty if its name cannot be a record's. */
    Optional<RecordKey> record(String key) {
        String segment = key.substring(prefix.length());
        try {
            String name = Names.decode(segment);
            return Names.encode(name).equals(segment) ? Optional.of(new RecordKey(tree, name)) : Optional.empty();
        } catch (IllegalArgumentException noName) {
            return Optional.empty();
        }
    }

    /** Returns a record as read; empty for a key that is not a record's. */
    Optional<Item> item(EtcdWire.Kv kv) {
        return record(kv.key()).map(key -> new Item(key, kv.value(), new EtcdRevision(kv.written())));
    }
}
