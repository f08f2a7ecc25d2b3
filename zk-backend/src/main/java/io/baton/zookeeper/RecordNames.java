package io.baton.zookeeper;

import io.baton.RecordKey;
import io.baton.spi.Names;
import java.util.Optional;

/** Which children of a tree's root are records. */
record RecordNames(String tree) {

    /** The record of this node; none if its name cannot be one of ours. */
    Optional<RecordKey> key(String child) {
        try {
            String name = Names.decode(child);
            return Names.encode(name).equals(child) ? Optional.of(new RecordKey(tree, name)) : Optional.empty();
        } catch (IllegalArgumentException noName) {
            return Optional.empty();
        }
    }
}
