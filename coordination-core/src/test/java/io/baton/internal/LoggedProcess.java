package io.baton.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Another JVM with the class path of this one, which logs warnings to its output. */
public final class LoggedProcess implements AutoCloseable {

    private final Process process;
    private final List<String> said = new ArrayList<>();

    private LoggedProcess(Process process) {
        this.process = process;
    }

    /** One that runs this class. */
    public static LoggedProcess start(Class<?> main) throws IOException {
        return new LoggedProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName())
                .redirectErrorStream(true)
                .start());
    }

    /** All lines until one of which this is true, or until it ends. */
    public List<String> readUntil(Predicate<String> last) throws IOException {
        BufferedReader lines = process.inputReader(UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.add(line);
            if (last.test(line)) {
                break;
            }
        }
        return List.copyOf(said);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
