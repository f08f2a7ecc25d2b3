package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.server.Freezer;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** {@code etcdctl lock} in a process of its own: one contender, from its beginning to its end. */
final class EtcdctlPeer implements AutoCloseable {

    private static final Duration LONG = Duration.ofSeconds(40);

    private final Process process;
    private final CompletableFuture<String> key;

    private EtcdctlPeer(LocalEtcd server, String path, Duration ttl, List<String> child) {
        var command = new ArrayList<>(server.ctl().command());
        command.addAll(List.of("lock", "--ttl", Long.toString(ttl.toSeconds()), "--", path));
        command.addAll(child);
        var builder = new ProcessBuilder(command).redirectError(Redirect.DISCARD);
        builder.environment().put("ETCDCTL_API", "3");
        try {
            process = builder.start();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
        key = CompletableFuture.supplyAsync(this::firstLine, task -> new Thread(task, "etcdctl").start());
    }

    /** Gets in line. */
    static EtcdctlPeer at(LocalEtcd server, String path, Duration ttl) {
        return new EtcdctlPeer(server, path, ttl, List.of());
    }

    /** Gets in line, and holds for as long as this command of a shell runs; what it says first is the key. */
    static EtcdctlPeer running(LocalEtcd server, String path, Duration ttl, String shell) {
        return new EtcdctlPeer(server, path, ttl, List.of("sh", "-c", shell));
    }

    boolean holds() {
        return key.isDone() && !key.isCompletedExceptionally();
    }

    /** Waits until it holds; what it says then: the key of its entry. */
    String awaitHolding() {
        try {
            return key.get(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException failed) {
            throw new AssertionError("etcdctl does not hold", failed);
        }
    }

    /** Ctrl-C: it removes its entry, and ends. */
    void interrupt() throws InterruptedException {
        signal("INT");
        awaitEnd();
    }

    Freezer freeze() {
        return Freezer.freeze(process.pid());
    }

    /** As a crash would end it. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Waits until it ends by itself; its exit status. */
    int awaitEnd() throws InterruptedException {
        if (!process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("etcdctl does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }

    private void signal(String name) throws InterruptedException {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private String firstLine() {
        try {
            String line = process.inputReader(UTF_8).readLine();
            if (line == null) {
                throw new CompletionException(new IOException("etcdctl ended without holding"));
            }
            return line;
        } catch (IOException broken) {
            throw new CompletionException(broken);
        }
    }
}
