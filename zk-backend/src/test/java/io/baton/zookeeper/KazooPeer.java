package io.baton.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** kazoo's {@code Lock}, in a Python process of its own. */
final class KazooPeer implements ForeignPeer {

    private final Process process;
    private final BufferedReader answers;
    private final PrintWriter commands;
    private final long session;

    /** A lock with kazoo's own options, and these strings of other programs' names that it is to respect. */
    KazooPeer(LocalZooKeeper server, String path, Duration timeout, String... extraPatterns) throws Exception {
        Path script = Files.createTempFile("kazoo_lock", ".py");
        try (InputStream source = KazooPeer.class.getResourceAsStream("/kazoo_lock.py")) {
            Files.write(script, source.readAllBytes());
        }
        String seconds = Double.toString(timeout.toMillis() / 1000.0);
        process = new ProcessBuilder(
                        python(),
                        script.toString(),
                        server.connectString(),
                        path,
                        seconds,
                        String.join(",", extraPatterns))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader(UTF_8);
        commands = new PrintWriter(process.outputWriter(UTF_8), true);
        session = Long.parseLong(answer("session "));
        Files.delete(script);
    }

    /** The Python that {@code ./verify} has found or fetched. */
    private static String python() throws IOException, InterruptedException {
        String told = System.getenv("BATON_KAZOO");
        for (String python : told == null ? List.of("/usr/bin/python3", "python3") : List.of(told)) {
            if (hasKazoo(python)) {
                return python;
            }
        }
        throw new AssertionError("no Python with kazoo: run ./verify, which fetches it, or export"
                + " BATON_KAZOO=$(tools/kazoo); ./verify --without-kazoo leaves these tests out");
    }

    private static boolean hasKazoo(String python) throws InterruptedException {
        try {
            return new ProcessBuilder(python, "-c", "import kazoo.client")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    @Override
    public void acquire() throws Exception {
        commands.println("acquire");
        answer("held");
    }

    /** Whether it held without waiting. */
    boolean tryAcquire() throws Exception {
        commands.println("try");
        return !answer("").equals("taken");
    }

    @Override
    public void release() throws Exception {
        commands.println("release");
        answer("released");
    }

    @Override
    public long session() {
        return session;
    }

    @Override
    public void kill() throws Exception {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws Exception {
        commands.close();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            kill();
        }
    }

    private String answer(String expected) throws IOException {
        String line = answers.readLine();
        if (line == null || !line.startsWith(expected)) {
            throw new IOException("kazoo said '" + line + "' instead of '" + expected + "'");
        }
        return line.substring(expected.length());
    }
}
