package io.baton.benchmarks;

import io.baton.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A ZooKeeper server in a process of its own, which ends with ours. */
public final class ServerProcess implements Server {

    private static final List<String> JVM_FLAGS = List.of(
            "-Xms512m",
            "-Xmx512m",
            "-Djava.net.preferIPv4Stack=true",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            "-Dzookeeper.admin.enableServer=false");

    private final Process process;
    private final BufferedReader answers;
    private final PrintStream questions;
    private final int port;

    private ServerProcess(Process process) throws IOException {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.questions = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.port = Integer.parseInt(answer());
    }

    /** Starts one that forces nothing to disk. */
    public static ServerProcess start() throws IOException {
        return start(false);
    }

    /** Starts one that forces its log to disk, or does not. */
    static ServerProcess start(boolean forced) throws IOException {
        List<String> flags = Stream.concat(
                        JVM_FLAGS.stream(), Stream.of("-Dzookeeper.forceSync=" + (forced ? "yes" : "no")))
                .toList();
        return new ServerProcess(ChildProcess.java(ServerMain.class, flags, List.of())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    @Override
    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Override
    public String what() {
        return "ZooKeeper";
    }

    @Override
    public long requests() throws IOException {
        questions.println();
        return Long.parseLong(answer());
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        questions.close();
        process.onExit().join();
    }

    private String answer() throws IOException {
        return Objects.requireNonNull(answers.readLine(), "the server has ended");
    }
}
