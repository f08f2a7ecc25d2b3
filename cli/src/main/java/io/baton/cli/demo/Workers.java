package io.baton.cli.demo;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All workers, and what they keep. However the demo ends, both go; also when it is told to end half way. */
final class Workers implements AutoCloseable {

    private final List<DemoWorker> workers = new CopyOnWriteArrayList<>();
    private final WorkFiles shelf;
    private final Thread atExit = new Thread(this::end, "baton-demo-stop");

    Workers(List<String> names, DemoRun venue) {
        shelf = WorkFiles.open();
        Runtime.getRuntime().addShutdownHook(atExit);
        for (String name : names) {
            workers.add(DemoWorker.start(name, venue));
        }
    }

    List<DemoWorker> all() {
        return List.copyOf(workers);
    }

    WorkFiles shelf() {
        return shelf;
    }

    private void end() {
        workers.forEach(DemoWorker::kill);
        workers.forEach(DemoWorker::close);
        shelf.close();
    }

    @Override
    public void close() {
        workers.forEach(DemoWorker::dismiss);
        workers.forEach(DemoWorker::close);
        shelf.close();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException ending) {
            // Then it finds nobody to kill.
        }
    }
}
