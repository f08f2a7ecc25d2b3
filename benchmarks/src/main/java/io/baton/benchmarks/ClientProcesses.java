package io.baton.benchmarks;

import io.baton.benchmarks.Fairness.Part;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Clients in processes of their own, which hand one lock on to one another. */
final class ClientProcesses implements Clients {

    private static final int HEAP_MEGABYTES = 64;

    /** Within which all have read what they are told. */
    private static final Duration HEAD_START = Duration.ofMillis(50);

    private final Server server;
    private final Path file = Files.createTempFile("section", "");
    private final Section section = Section.in(file);
    private final List<JvmProcess> processes = new ArrayList<>();

    private ClientProcesses(Server server) throws IOException {
        this.server = server;
    }

    static ClientProcesses start(Field field, String side, String addresses, Row row, Server server, Duration warmUp)
            throws IOException {
        var clients = new ClientProcesses(server);
        try {
            for (int worker = 0; worker < row.clients(); worker++) {
                clients.start(List.of(
                        field.name(),
                        side,
                        addresses,
                        row.name(),
                        Integer.toString(worker),
                        clients.file.toString(),
                        Long.toString(warmUp.toNanos())));
            }
            return clients;
        } catch (IOException | RuntimeException broken) {
            clients.close();
            throw broken;
        }
    }

    /** One after the other: JVMs that all start at once keep a small machine from answering in time. */
    private void start(List<String> arguments) throws IOException {
        JvmProcess process =
                JvmProcess.start(HandOffMain.class, JvmProcess.small(HEAP_MEGABYTES), arguments, Redirect.INHERIT);
        processes.add(process);
        process.answer();
    }

    @Override
    public Outcome round(Duration time) throws IOException {
        section.clear();
        long requests = server.requests();
        long start = System.nanoTime() + HEAD_START.toNanos();
        processes.forEach(process -> process.tell(start + " " + (start + time.toNanos())));
        var rounds = new ArrayList<ClientRound>();
        for (JvmProcess process : processes) {
            rounds.add(ClientRound.parse(process.answer()));
        }
        List<Part> parts = rounds.stream().map(ClientRound::part).toList();
        long passes = parts.stream().mapToLong(Part::passes).sum();
        section.expect(passes);
        long end = rounds.stream().mapToLong(ClientRound::end).max().orElseThrow();
        Usage usage =
                rounds.stream().map(ClientRound::usage).reduce(Usage::plus).orElseThrow();
        return new Outcome(
                passes, end - start, server.requests() - requests, usage, Fairness.of(parts, section.changes()));
    }

    @Override
    public void close() {
        processes.forEach(JvmProcess::end);
        processes.forEach(JvmProcess::close);
        file.toFile().delete();
    }
}
