package io.baton.cli.demo;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All workers, and what they keep. However the demo ends, both go; also when it is told to end half way. */
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
            // Then it finds nobody to kill.
        }
    }
}
