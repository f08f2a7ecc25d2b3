package io.baton.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** A command that measures: it says on which machine, prints a table, and keeps the raw data in a file. */
public abstract class Measurement implements Callable<Integer> {

    /** Writes raw data. */
    public interface Data {
        /** Into this file, with its folder. */
        void write(Path file) throws IOException;
    }

    @Option(
            names = "--raw",
            paramLabel = "DIR",
            description = "Where the raw data goes, with all that is kept beside it (default:"
                    + " benchmarks/target/results).")
    private Path raw = Path.of("target", "results");

    /** For subclasses, filled by their options. */
    protected Measurement() {}

    /** Where the raw data goes. */
    protected final Path raw() {
        return raw;
    }

    /** Says when and on which machine, and what is measured there; returns what it has said. */
    protected static String printHead(String what) {
        String head = String.format(
                Locale.ROOT,
                "%s, JDK %s, %d processors, load %.1f; %s",
                LocalDate.now(ZoneOffset.UTC),
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                load(),
                what);
        System.out.println(head);
        return head;
    }

    /** Writes the raw data, and says where it is. */
    protected final void finish(String name, Data data) throws IOException {
        String now =
                LocalDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));
        Path file = raw.resolve(name + "-" + now + ".csv");
        data.write(file);
        System.out.printf(Locale.ROOT, "%nload %.1f at the end; the raw data: %s%n", load(), file);
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
