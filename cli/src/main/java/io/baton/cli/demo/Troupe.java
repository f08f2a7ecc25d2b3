package io.baton.cli.demo;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All workers. However the demo ends, they do; also when it is told to end half way. */
final class Troupe implements AutoCloseable {

    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private final Thread atExit = new Thread(() -> workers.forEach(Worker::kill), "baton-demo-stop");

    Troupe(List<String> names, Venue venue) {
        Runtime.getRuntime().addShutdownHook(atExit);
        for (String name : names) {
            workers.add(Worker.start(name, venue));
        }
    }

    List<Worker> all() {
        return List.copyOf(workers);
    }

    @Override
    public void close() {
        workers.forEach(Worker::dismiss);
        workers.forEach(Worker::close);
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException ending) {
            // Then it finds nobody to kill.
        }
    }
}
