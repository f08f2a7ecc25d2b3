package io.baton.cli.demo;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All workers and their files. Both are removed however the demo ends, including by a signal. */
final class Workers implements AutoCloseable {

    private final List<DemoWorker> workers = new CopyOnWriteArrayList<>();
    private final WorkFiles files;
    private final Thread atExit = new Thread(this::end, "baton-demo-stop");

    Workers(List<String> names, DemoRun demoRun) {
        files = WorkFiles.open();
        Runtime.getRuntime().addShutdownHook(atExit);
        for (String name : names) {
            workers.add(DemoWorker.start(name, demoRun));
        }
    }

    List<DemoWorker> all() {
        return List.copyOf(workers);
    }

    WorkFiles files() {
        return files;
    }

    private void end() {
        workers.forEach(DemoWorker::kill);
        workers.forEach(DemoWorker::close);
        files.close();
    }

    @Override
    public void close() {
        workers.forEach(DemoWorker::dismiss);
        workers.forEach(DemoWorker::close);
        files.close();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException ending) {
            // The hook then finds no process to kill.
        }
    }
}
