package io.baton;

import io.baton.spi.Names;

/**
 * The key of a record: a name within a tree.
 *
 * @param tree the tree's name: letters, digits, {@code _}, {@code -} and {@code .}, which must not lead; neither {@code
 *     locks} nor {@code elections}
 * @param name any non-empty string of at most {@link Names#MAX_BYTES} bytes in UTF-8
 */
public record RecordKey(String tree, String name) {

    /**
     * Checks both names.
     *
     * @throws IllegalArgumentException if one of them is not allowed
     */
    public RecordKey {
        Names.checkTree(tree);
        Names.check(name);
    }

    @Override
    public String toString() {
        return tree + "/" + name;
    }
}
