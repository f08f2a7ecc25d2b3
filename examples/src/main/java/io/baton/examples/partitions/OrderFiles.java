package io.baton.examples.partitions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A stream of orders in partitions, in the place of a topic: each partition is a file, and each order a line of it.
 *
 * @param directory where the files are, named by the number of the partition
 */
record OrderFiles(Path directory) {

    private static final Duration PAUSE = Duration.ofMillis(50);

    /** Returns the order at this place of a partition, and waits until there is one. */
    PartitionOrder take(int partition, long number) throws InterruptedException {
        Path file = directory.resolve(Integer.toString(partition));
        while (true) {
            List<String> orders = read(file);
            if (number <= orders.size()) {
                return new PartitionOrder(partition, number, orders.get((int) number - 1));
            }
            Thread.sleep(PAUSE.toMillis());
        }
    }

    /** A line that has no end yet is still being written. */
    private static List<String> read(Path file) {
        try {
            String text = Files.exists(file) ? Files.readString(file) : "";
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot read " + file, broken);
        }
    }
}
