package io.baton.etcd;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.etcd.wire.EtcdWire;
import io.baton.spi.Names;
import java.util.Optional;

/** Where the records of one tree are: directly below it, by their encoded names. */
record RecordKeys(String tree, String prefix) {

    static RecordKeys of(String tree, EtcdContext context) {
        return new RecordKeys(tree, context.key(tree) + "/");
    }

    /** The store's key of a record. */
    static String of(RecordKey key, EtcdContext context) {
        return of(key.tree(), context).prefix() + Names.encode(key.name());
    }

    /** The record that this key is of; none if its name cannot be one of ours. */
    Optional<RecordKey> record(String key) {
        String segment = key.substring(prefix.length());
        try {
            String name = Names.decode(segment);
            return Names.encode(name).equals(segment) ? Optional.of(new RecordKey(tree, name)) : Optional.empty();
        } catch (IllegalArgumentException noName) {
            return Optional.empty();
        }
    }

    /** A record as read. */
    Optional<Item> item(EtcdWire.Kv kv) {
        return record(kv.key()).map(key -> new Item(key, kv.value(), new EtcdRevision(kv.written())));
    }
}
