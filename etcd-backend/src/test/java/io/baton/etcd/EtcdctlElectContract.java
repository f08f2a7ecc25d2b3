package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Dialect;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.Leader;
import io.baton.election.LeaderElection;
import io.baton.election.LeaderObserver;
import io.baton.testkit.etcd.EtcdExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Baton's candidates and {@code etcdctl elect} in one election. */
@Tag("etcd")
@Timeout(120)
abstract class EtcdctlElectContract {

    private final List<Elect> peers = new ArrayList<>();
    private Coordinator baton;

    abstract EtcdExtension etcd();

    @BeforeEach
    void connect() throws Exception {
        baton = Coordinator.connect(
                etcd().uri(),
                CoordinatorOptions.builder().ttl(Duration.ofSeconds(10)).build());
    }

    @AfterEach
    void close() throws Exception {
        for (Elect peer : peers) {
            peer.end();
        }
        baton.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/legacy/leader", "report"})
    void leaders_ofBothSides_followEachOtherInOrderAndSeeEachOther(String path) throws Exception {
        LeaderElection election = LeaderElection.at(baton, path, Dialect.BATON);
        Elect watching = elect("-l", path);
        LeaderObserver observer = election.observe();
        Elect first = elect(path, "ctl-1");
        await().until(() -> first.said().contains("ctl-1"));
        await().until(() -> observer.leader().map(Leader::id).equals(Optional.of("ctl-1")));
        long term = observer.leader().orElseThrow().term();

        Candidacy ours = election.runAsync(Candidate.of("baton-1"), leadership -> {
            var stopped = new CompletableFuture<>();
            leadership.onStop(stopped::complete);
            return stopped;
        });
        await().until(() -> etcd().server().ctl().keys(path + "/").size() == 2);
        assertThat(ours.leadership()).isEmpty();
        Elect last = elect(path, "ctl-2");
        await().until(() -> etcd().server().ctl().keys(path + "/").size() == 3);

        first.end();
        await().atMost(Duration.ofSeconds(40)).until(() -> ours.leadership().isPresent());
        assertThat(last.said()).isEmpty();
        await().until(() -> watching.said().contains("baton-1"));
        assertThat(observer.leader().orElseThrow().id()).isEqualTo("baton-1");
        assertThat(observer.leader().orElseThrow().term()).isGreaterThan(term);

        ours.close();
        await().until(() -> last.said().contains("ctl-2"));
        await().until(() -> observer.leader().map(Leader::id).equals(Optional.of("ctl-2")));
        last.end();
        await().atMost(Duration.ofSeconds(90)).until(() -> observer.leader().isEmpty());
    }

    private Elect elect(String... args) throws IOException {
        Elect peer = new Elect(args);
        peers.add(peer);
        return peer;
    }

    /** One process, and what it says. */
    private final class Elect {

        private final Process process;
        private final List<String> said = new CopyOnWriteArrayList<>();

        Elect(String... args) throws IOException {
            var command = new ArrayList<>(etcd().server().ctl().command());
            command.add("elect");
            command.addAll(List.of(args));
            var builder = new ProcessBuilder(command).redirectError(Redirect.DISCARD);
            builder.environment().put("ETCDCTL_API", "3");
            process = builder.start();
            Thread reading = new Thread(this::read, "etcdctl");
            reading.setDaemon(true);
            reading.start();
        }

        List<String> said() {
            return said;
        }

        /** Asks it to end, so that it gives its key back. */
        void end() throws InterruptedException {
            process.destroy();
            process.waitFor(30, TimeUnit.SECONDS);
        }

        private void read() {
            try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    said.add(line);
                }
            } catch (IOException over) {
                // The process has ended.
            }
        }
    }
}
