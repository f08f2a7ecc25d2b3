package io.baton.zookeeper;

import io.baton.RecordKey;
import io.baton.spi.Names;
import java.util.Optional;

/** Decides which children of a tree's root are records. */
record RecordNames(String tree) {

    /** Returns the record of this node; empty if its name cannot be a record's. */
    Optional<RecordKey> key(String child) {
        try {
            String name = Names.decode(child);
            return Names.encode(name).equals(child) ? Optional.of(new RecordKey(tree, name)) : Optional.empty();
        } catch (IllegalArgumentException noName) {
            return Optional.empty();
        }
    }
}
