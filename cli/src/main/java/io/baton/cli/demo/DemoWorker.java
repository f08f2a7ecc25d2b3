package io.baton.cli.demo;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.run.Jvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A worker process, as seen by the demo. */
final class DemoWorker implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration END = Duration.ofSeconds(5);

    private final String name;
    private final Process process;
    private final Writer commands;
    private final LinkedBlockingQueue<Message> replies = new LinkedBlockingQueue<>();

    private DemoWorker(String name, Process process) {
        this.name = name;
        this.process = process;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "baton-demo-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a JVM on the class path of this one. */
    static DemoWorker start(String name, DemoRun demoRun) {
        List<String> line = Jvm.ofMegabytes(64);
        line.add("-Dorg.slf4j.simpleLogger.defaultLogLevel="
                + System.getProperty("org.slf4j.simpleLogger.defaultLogLevel", "off"));
        line.addAll(Jvm.archive());
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), WorkerMain.class.getName(), name));
        line.addAll(demoRun.arguments());
        try {
            return new DemoWorker(
                    name,
                    new ProcessBuilder(line)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start());
        } catch (IOException refused) {
            throw new Failure(Exit.FAILED, "cannot start a worker: " + refused.getMessage());
        }
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Sends it a command. */
    void send(String verb, Object... args) {
        try {
            commands.write(Message.of(verb, args) + "\n");
            commands.flush();
        } catch (IOException gone) {
            throw failed("has ended by itself");
        }
    }

    /** Waits for its next message, which must have this verb. */
    Message await(String verb) throws InterruptedException {
        Message message = next();
        if (!message.verb().equals(verb)) {
            throw failed("said '" + message + "' instead of '" + verb + "'");
        }
        return message;
    }

    /** Waits for its next message. */
    Message next() throws InterruptedException {
        Message message = replies.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        if (message == null) {
            throw failed("has said nothing for " + DemoLog.seconds(LIMIT));
        } else if (message.verb().equals(Message.GONE)) {
            throw failed("has ended by itself");
        } else if (message.verb().equals(Message.FAILED)) {
            throw failed("failed: " + String.join(" ", message.args()));
        }
        return message;
    }

    /** Kills the worker by SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    /** Closes its stdin, which ends the worker; does not wait. */
    void dismiss() {
        try {
            commands.close();
        } catch (IOException alreadyGone) {
            // The stream is closed, as intended.
        }
    }

    /** Waits until it has ended; kills it if it does not end by itself. */
    @Override
    public void close() {
        dismiss();
        try {
            if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
                kill();
                process.waitFor();
            }
        } catch (InterruptedException hurry) {
            kill();
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                replies.add(Message.parse(line));
            }
        } catch (IOException closed) {
            // Same as the end of the stream.
        }
        replies.add(Message.of(Message.GONE));
    }

    private Failure failed(String what) {
        return new Failure(Exit.FAILED, "worker " + name + " (pid " + pid() + ") " + what);
    }
}
