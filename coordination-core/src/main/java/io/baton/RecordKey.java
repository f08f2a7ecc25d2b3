package io.baton;

import io.baton.spi.Names;

/**
 * The key of a record: a name within a tree.
 *
 * @param tree the tree's name: letters, digits, {@code _}, {@code -} and {@code .}, which must not lead; not {@code
 *     locks}, {@code elections}, {@code rwlocks} or {@code semaphores}. Trees that begin with {@code baton.} are Baton's
 *     own: a program may read them, and must not write there
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
