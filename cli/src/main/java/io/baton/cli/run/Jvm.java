package io.baton.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a small JVM on the class path of this one. */
final class Jvm {

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
                "-Xshare:auto",
                "-Xlog:disable"));
        String archive = System.getProperty("baton.archive", "");
        if (!archive.isEmpty()) {
            line.add("-XX:SharedArchiveFile=" + archive);
        }
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        return line;
    }
}
