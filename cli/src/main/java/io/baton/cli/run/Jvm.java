package io.baton.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a small JVM on the class path of this one. */
public final class Jvm {

    /** Keeps the limit of open files, which the command inherits. A JVM raises it to the most that is allowed. */
    private static final String LIMIT_OF_FILES = "-XX:-MaxFDLimit";

    private Jvm() {}

    /** The command line up to the arguments of the main class. Messages of the JVM itself must not reach stdout. */
    static List<String> small(Class<?> main) {
        var line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms4m",
                "-Xmx16m",
                "-Xss256k",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:ReservedCodeCacheSize=8m",
                "-XX:-UsePerfData",
                LIMIT_OF_FILES,
                "-Xshare:auto",
                "-Xlog:disable"));
        line.addAll(archive());
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        return line;
    }

    /** The program and its flags for a JVM that runs Baton, with a heap of this many megabytes. */
    public static List<String> ofMegabytes(int heap) {
        var line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap + "m",
                "-Xshare:auto",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                LIMIT_OF_FILES,
                "--enable-native-access=ALL-UNNAMED"));
        if (Runtime.version().feature() >= 24) {
            line.add("--sun-misc-unsafe-memory-access=allow");
        }
        return line;
    }

    /** The flags for the archive of classes that this JVM was started with; none without one. */
    public static List<String> archive() {
        String archive = System.getProperty("baton.archive", "");
        return archive.isEmpty() ? List.of() : List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:disable");
    }
}
