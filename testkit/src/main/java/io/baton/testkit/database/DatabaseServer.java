package io.baton.testkit.database;

import io.baton.testkit.server.Directories;
import io.baton.testkit.server.ServerAwait;
import io.baton.testkit.server.ServerProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The process and the directory of a database server, until it is closed. */
final class DatabaseServer {

    private final ReentrantLock lock = new ReentrantLock();
    private final String name;
    private final Path home;
    private final ServerProgram program;
    private final ServerAwait.Check ready;
    private final Thread atExit;
    private boolean closed;

    DatabaseServer(String name, Path home, ServerProgram program, ServerAwait.Check ready) {
        this.name = name;
        this.home = home;
        this.program = program;
        this.ready = ready;
        this.atExit = new Thread(this::end, name + "-exit");
    }

    /** Starts the server for the first time. If that fails, nothing is left behind. */
    void launch() {
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            restart();
        } catch (RuntimeException broken) {
            close();
            throw broken;
        }
    }

    long pid() {
        return program.pid();
    }

    boolean isRunning() {
        return program.isAlive();
    }

    void serve() {
        if (!isRunning()) {
            restart();
        }
    }

    void kill() {
        lock.lock();
        try {
            program.kill();
        } finally {
            lock.unlock();
        }
    }

    void crash() {
        lock.lock();
        try {
            program.crash();
        } finally {
            lock.unlock();
        }
    }

    void freeze() {
        lock.lock();
        try {
            program.freezeAll();
        } finally {
            lock.unlock();
        }
    }

    void wake() {
        lock.lock();
        try {
            program.wake();
        } finally {
            lock.unlock();
        }
    }

    void restart() {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("this server is closed");
            }
            program.kill();
            program.start();
            await(ready);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the server is in this state. */
    void await(ServerAwait.Check state) {
        ServerAwait.until(name + " to serve", List.of(program), state);
    }

    void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exitingAlready) {
            // The shutdown hook runs as well and finds nothing left to do.
            return;
        }
    }

    private void end() {
        lock.lock();
        try {
            closed = true;
            program.kill();
            Directories.delete(home);
        } finally {
            lock.unlock();
        }
    }
}
