package io.baton;

import io.baton.spi.Names;

/**
 * Names a record: a key within a tree.
 *
 * @param tree the tree's name; one segment of letters, digits, {@code _}, {@code -} and non-leading {@code .}
 * @param name any non-empty string
 */
public record RecordKey(String tree, String name) {

    /** Checks both names. */
    public RecordKey {
        Names.checkTree(tree);
        Names.check(name);
    }

    @Override
    public String toString() {
        return tree + "/" + name;
    }
}
