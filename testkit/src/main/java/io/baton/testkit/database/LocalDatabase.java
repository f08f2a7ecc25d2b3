package io.baton.testkit.database;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.server.AtExit;
import io.baton.testkit.server.Directories;
import io.baton.testkit.server.ServerAwait;
import io.baton.testkit.server.ServerProgram;
import io.baton.testkit.server.TestServer;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A real database server in processes of its own, on loopback, for tests. It forces to its files what it acknowledges, as
 * Baton demands of a database.
 *
 * <p><b>Guarantees.</b> {@link #close()} leaves no process, port or directory behind. The processes end with this JVM,
 * even if that is killed.
 *
 * <p><b>Threads.</b> Any thread may call any method.
 */
public abstract sealed class LocalDatabase implements TestServer permits LocalMariaDb, LocalPostgres {

    private final ReentrantLock lock = new ReentrantLock();
    private final String name;
    private final Path home;
    private final int port;
    private final Path log;
    private final ServerProgram program;
    private final AtExit atExit;
    private boolean closed;

    LocalDatabase(String name, Path home, int port, Path log, ServerProgram program) {
        this.name = name;
        this.home = home;
        this.port = port;
        this.log = log;
        this.program = program;
        this.atExit = new AtExit(name, this::end);
    }

    /** Starts the server for the first time. If that fails, nothing is left behind. */
    void launch() {
        atExit.add();
        try {
            restart();
        } catch (RuntimeException broken) {
            close();
            throw broken;
        }
    }

    /** Whether the server that was started last serves. */
    abstract boolean isReady();

    /** The JDBC URL of the server, for a user who may do anything. */
    public abstract String url();

    /** The port on 127.0.0.1. */
    public final int port() {
        return port;
    }

    /** The address on 127.0.0.1. */
    public final InetSocketAddress address() {
        return Loopback.at(port);
    }

    /** The id of the server's first process. */
    public final long pid() {
        return program.pid();
    }

    /** The file with all that the server has said. {@link #close} deletes it. */
    public final Path log() {
        return log;
    }

    /** Whether the server runs. */
    public final boolean isRunning() {
        return program.isAlive();
    }

    @Override
    public final void serve() {
        wake();
        if (!isRunning()) {
            restart();
        }
    }

    /** Ends it as a crash does: connections break, and what was not committed is lost. Idempotent. */
    public final void kill() {
        lock.lock();
        try {
            program.kill();
        } finally {
            lock.unlock();
        }
    }

    /** Kills all processes of the server at once ({@code SIGKILL}), frozen or not. Idempotent. */
    public final void crash() {
        lock.lock();
        try {
            program.crash();
        } finally {
            lock.unlock();
        }
    }

    /** Stops all processes of the server where they are ({@code SIGSTOP}). */
    public final void freeze() {
        lock.lock();
        try {
            program.freezeAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets all processes of the server go on ({@code SIGCONT}). */
    public final void wake() {
        lock.lock();
        try {
            program.wake();
        } finally {
            lock.unlock();
        }
    }

    /** Starts the server again on the same port and data; kills it first if it runs. */
    public final void restart() {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("this server is closed");
            }
            program.kill();
            program.start();
            await(this::isReady);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the replication of a server that follows another; it accepts writes then. Sends nothing to the primary. */
    public abstract void promote();

    /** Waits until the server is in this state. */
    final void await(ServerAwait.Check state) {
        ServerAwait.until(name + " to serve", List.of(program), state);
    }

    /** Stops the server and deletes its data. Idempotent. */
    @Override
    public void close() {
        end();
        atExit.remove();
    }

    private void end() {
        lock.lock();
        try {
            closed = true;
            program.kill();
        } finally {
            lock.unlock();
            Directories.delete(home);
        }
    }
}
