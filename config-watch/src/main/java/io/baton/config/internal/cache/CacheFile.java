package io.baton.config.internal.cache;

import io.baton.config.ConfigException;
import io.baton.config.internal.active.Cached;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the last good values. Each version is written beside it, forced to disk, and then moved into its place.
 * So the file is always complete, even if a process is killed or two write at once. One thread at a time.
 */
public final class CacheFile {

    private static final Logger log = LoggerFactory.getLogger(CacheFile.class);
    private static final int MOST_SET_ASIDE = 20;
    private static final long MOST_BYTES = 1L << 28;

    /** The age at which a temporary file is left over; its writer was killed, or must write again. */
    private static final Duration LEFT_OVER = Duration.ofMinutes(1);

    private final Path file;
    private final Path directory;
    private final String name;

    /** The file that this process has last read or written. */
    private volatile Optional<Seen> seen = Optional.empty();

    /** Distinguishes a file from earlier and later ones at the same path. */
    private record Seen(@Nullable Object key, FileTime modified, long size) {

        /** Empty if there is no file. */
        static Optional<Seen> of(Path file) {
            try {
                BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
                return Optional.of(new Seen(now.fileKey(), now.lastModifiedTime(), now.size()));
            } catch (IOException none) {
                return Optional.empty();
            }
        }
    }

    /**
     * Uses this path.
     *
     * @throws ConfigException if there can be no file, or there is something other than a cache, which stays
     */
    public CacheFile(Path path) {
        file = path.toAbsolutePath();
        Path parent = file.getParent();
        Path last = file.getFileName();
        if (parent == null || last == null) {
            throw new ConfigException("the cache must be a file, not " + file);
        }
        directory = parent;
        name = last.toString();
        try {
            checkReplaceable();
        } catch (IOException notOurs) {
            throw new ConfigException("the cache cannot be " + file + ": " + notOurs.getMessage()
                    + "; name a file that is the cache's own, or move away what is there");
        }
    }

    /** Permits moving or replacing only a cache, whole or not. */
    private void checkReplaceable() throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        if (!Files.isRegularFile(file)) {
            throw new IOException(Files.isDirectory(file) ? "it is a directory" : "it is no regular file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            if (!CacheText.mayBegin(in.readNBytes(CacheText.BEGINNING))) {
                throw new IOException("it holds something else");
            }
        } catch (NoSuchFileException goneMeanwhile) {
            return;
        }
    }

    /** {@link #write(Cached, boolean)} while the process runs. */
    public void write(Cached all) throws IOException {
        write(all, false);
    }

    /**
     * Replaces the file; the new one is on disk on return.
     *
     * @param atTheEnd whether the process ends. Then a file stays if another process has put it there since this one
     *     last read or wrote it. A process that is slow to end must not undo what its successor keeps
     */
    public void write(Cached all, boolean atTheEnd) throws IOException {
        checkReplaceable();
        Files.createDirectories(directory);
        Path temporary = directory.resolve("." + name + "." + UUID.randomUUID() + ".tmp");
        try {
            writeThrough(temporary, CacheText.sealed(all.encode()));
            if (atTheEnd && isOfAnother()) {
                log.debug("The cache {} is another process's by now, and stays", file);
                return;
            }
            Optional<Seen> own = Seen.of(temporary);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            seen = own;
        } finally {
            Files.deleteIfExists(temporary);
        }
        bringToDisk(directory);
    }

    private boolean isOfAnother() {
        Optional<Seen> now = Seen.of(file);
        return now.isPresent() && !now.equals(seen);
    }

    /**
     * Returns the values if they are of this space and prefix. Any other file is set aside. Also removes temporary
     * files of killed processes.
     */
    public Optional<Cached> read(String space, String prefix) {
        clear();
        try {
            checkReplaceable();
        } catch (IOException notOurs) {
            log.warn("The cache {} cannot be used: {}; it stays as it is", file, notOurs.getMessage());
            return Optional.empty();
        }
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IOException("it is too large to be one");
            }
            seen = Seen.of(file);
            Cached cached = Cached.decode(CacheText.opened(Files.readAllBytes(file)));
            if (!cached.space().equals(space) || !cached.prefix().equals(prefix)) {
                throw new IOException("it is of space " + cached.space() + ", keys " + cached.prefix() + "*");
            }
            return Optional.of(cached);
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException | RuntimeException broken) {
            setAside(broken);
            return Optional.empty();
        }
    }

    private static void writeThrough(Path to, byte[] all) throws IOException {
        Set<StandardOpenOption> options = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(to, options, ownerOnly(to))) {
            ByteBuffer left = ByteBuffer.wrap(all);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path of) {
        if (!of.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        var owner = EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(owner)};
    }

    /** Makes the new name durable, too. Not every system can open a directory. */
    private static void bringToDisk(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException notHere) {
            log.debug("{} cannot be brought to the disk by itself: {}", directory, notHere.toString());
        }
    }

    /** Moves the file instead of deleting it, for later analysis. */
    private void setAside(Exception why) {
        Path aside = file;
        try {
            for (int n = 1; n <= MOST_SET_ASIDE; n++) {
                aside = file.resolveSibling(name + ".corrupt-" + n);
                if (n == MOST_SET_ASIDE || !Files.exists(aside)) {
                    Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
                    log.warn("The cache {} cannot be used: {}; it was set aside as {}", file, why.getMessage(), aside);
                    return;
                }
            }
        } catch (IOException stuck) {
            log.warn("The cache {} cannot be used: {}; nor set aside: {}", file, why.getMessage(), stuck.toString());
        }
    }

    private void clear() {
        Instant before = Instant.now().minus(LEFT_OVER);
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, this::temporary)) {
            for (Path each : found) {
                if (Files.getLastModifiedTime(each).toInstant().isBefore(before)) {
                    Files.deleteIfExists(each);
                }
            }
        } catch (IOException cannot) {
            log.debug("{} cannot be cleared: {}", directory, cannot.toString());
        }
    }

    private boolean temporary(Path path) {
        String other = path.getFileName().toString();
        return other.startsWith("." + name + ".") && other.endsWith(".tmp");
    }
}
