package io.baton.benchmarks.scale;

import io.baton.benchmarks.scale.TimeLimit.Condition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** The clients of one case: one that holds, and those that wait. */
final class LoadClients implements AutoCloseable {

    private static final Duration STARTING = Duration.ofMinutes(1);

    private final ScaleCase what;
    private final Surroundings in;
    private final List<LoadClient> waiting = new ArrayList<>();
    private final List<LoadClient> all = new ArrayList<>();

    LoadClients(ScaleCase what, Surroundings in) {
        this.what = what;
        this.in = in;
    }

    /** Starts the one that holds; {@link #isConnected} tells when it is there. */
    LoadClient startHolder(String uri) throws IOException {
        return start("holder", uri, LoadClient.LARGE);
    }

    /** Starts one that waits. */
    void startWaiting(String uri, List<String> heap) throws IOException {
        waiting.add(start("waiting-" + waiting.size(), uri, heap));
    }

    private LoadClient start(String name, String uri, List<String> heap) throws IOException {
        LoadClient client = LoadClient.start(name, uri, heap, in.log(what, name));
        all.add(client);
        client.tell("quiet quiet-" + name);
        return client;
    }

    /** Waits until all that were started are connected, and reports it if one of them is not in time. */
    boolean isConnected(Figures figures) throws Exception {
        var starting = new TimeLimit(in.store().scheme() + " " + what.word(), STARTING);
        Count connected = () -> sum(all, report -> report.isReady() ? 1 : 0);
        if (!starting.await(phase("connected", connected, all.size()))) {
            figures.problem("NOT DONE: " + connected.now() + " of " + all.size() + " clients connected");
            return false;
        }
        return true;
    }

    List<LoadClient> all() {
        return all;
    }

    List<LoadClient> waiting() {
        return waiting;
    }

    int granted() {
        return sum(waiting, LoadReport::granted);
    }

    int failed() {
        return sum(waiting, LoadReport::failed);
    }

    int lost() {
        return sum(all, LoadReport::lost);
    }

    List<Grant> grants() {
        return waiting.stream()
                .flatMap(client -> client.report().grants().stream())
                .toList();
    }

    private static int sum(List<LoadClient> clients, ToIntFunction<LoadReport> of) {
        return clients.stream()
                .mapToInt(client -> of.applyAsInt(client.report()))
                .sum();
    }

    /** Until there are enough; a client that has ended makes it fail. */
    Condition phase(String name, Count count, long enough) {
        return new Condition() {
            @Override
            public boolean isMet() throws Exception {
                return count.now() >= enough;
            }

            @Override
            public boolean isHopeless() {
                return all.stream().anyMatch(client -> !client.isAlive());
            }

            @Override
            public String state() throws Exception {
                return count.now() + " of " + enough + " " + name;
            }
        };
    }

    @Override
    public void close() {
        all.forEach(LoadClient::close);
    }

    /** How many there are. */
    interface Count {
        long now() throws Exception;
    }
}
