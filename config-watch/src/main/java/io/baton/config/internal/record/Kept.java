package io.baton.config.internal.record;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes that the kept changes take in the history, oldest first. Large changes are counted one by one; if there are
 * many, small adjacent ones are counted together. Immutable.
 */
record Kept(List<Block> blocks) {

    static final Kept NOTHING = new Kept(List.of());

    private static final int MOST_BLOCKS = 100;

    /**
     * Changes that are counted together.
     *
     * @param changes their number
     * @param bytes the sum of their bytes
     */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    record Block(long changes, long bytes) {

        private Block and(Block next) {
            return new Block(changes + next.changes, bytes + next.bytes);
        }
    }

    Kept {
        blocks = List.copyOf(blocks);
    }

    long changes() {
        return blocks.stream().mapToLong(Block::changes).sum();
    }

    long bytes() {
        return blocks.stream().mapToLong(Block::bytes).sum();
    }

    /** Returns it with one more change of this size. */
    Kept with(long bytes) {
        List<Block> more = new ArrayList<>(blocks);
        more.add(new Block(1, bytes));
        if (more.size() > MOST_BLOCKS) {
            int least = 0;
            for (int i = 1; i + 1 < more.size(); i++) {
                if (pair(more, i) < pair(more, least)) {
                    least = i;
                }
            }
            more.set(least, more.get(least).and(more.remove(least + 1)));
        }
        return new Kept(more);
    }

    private static long pair(List<Block> blocks, int first) {
        return blocks.get(first).bytes() + blocks.get(first + 1).bytes();
    }

    /** Returns it without the oldest change; changes that are counted together share their bytes equally. */
    Kept withoutOldest() {
        Block first = blocks.get(0);
        List<Block> fewer = new ArrayList<>(blocks);
        if (first.changes() == 1) {
            fewer.remove(0);
        } else {
            fewer.set(0, new Block(first.changes() - 1, first.bytes() - first.bytes() / first.changes()));
        }
        return new Kept(fewer);
    }
}
