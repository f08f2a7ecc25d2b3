package io.baton.testkit.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Other JVMs with the class path of this one. */
public final class ChildProcess {

    /** Flags of a JVM that is small, starts quickly, and compiles cheaply. */
    public static final List<String> SMALL = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Djava.net.preferIPv4Stack=true",
            "--enable-native-access=ALL-UNNAMED");

    private ChildProcess() {}

    /** A small one that runs this class. */
    public static ProcessBuilder small(Class<?> main, List<String> moreFlags, List<String> arguments) {
        List<String> flags = new ArrayList<>(SMALL);
        flags.addAll(moreFlags);
        return java(main, flags, arguments);
    }

    /** One that runs this class, with these flags of the JVM. */
    public static ProcessBuilder java(Class<?> main, List<String> flags, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }
}
