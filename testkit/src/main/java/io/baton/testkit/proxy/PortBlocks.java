package io.baton.testkit.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * The blocks of ports that this JVM alone uses among the JVMs of this user on this host. A server can free one of these
 * ports and take it again at a restart; no other JVM takes or probes it in between.
 *
 * <p>A block belongs to this JVM while its byte in a file of the user is locked. The lock lasts until the JVM ends, in
 * whatever way.
 */
final class PortBlocks {

    private final int count;
    private final FileChannel file;
    private final Set<Integer> own = new HashSet<>();

    PortBlocks(Path file, int count) {
        this.count = count;
        try {
            this.file = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot open " + file, broken);
        }
    }

    /**
     * Takes the first block that no other JVM has, and returns it. The search begins at {@code first} and wraps around.
     */
    int from(int first) {
        for (int further = 0; further < count; further++) {
            int block = (first + further) % count;
            if (own.contains(block) || lock(block)) {
                return block;
            }
        }
        throw new IllegalStateException("all " + count + " blocks of ports are used by other processes");
    }

    private boolean lock(int block) {
        try {
            boolean locked = file.tryLock(block, 1, false) != null;
            if (locked) {
                own.add(block);
            }
            return locked;
        } catch (OverlappingFileLockException anotherCopyOfThisClass) {
            return false;
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot lock a block of ports", broken);
        }
    }
}
