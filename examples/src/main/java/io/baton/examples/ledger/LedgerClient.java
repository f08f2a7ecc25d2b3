package io.baton.examples.ledger;

import io.baton.Coordinator;
import io.baton.Subscription;
import io.baton.election.Leader;
import io.baton.election.LeaderElection;
import io.baton.election.LeaderObserver;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A client of the ledger: asks whoever is active, and the next one if that fails.
 *
 * <p><b>Threads.</b> Any thread may call any method.
 */
final class LedgerClient implements AutoCloseable {

    /** Who has not answered for so long is asked again. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Pause after a failure, unless another one leads sooner. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final LeaderObserver observer;

    LedgerClient(Coordinator baton) {
        observer = LeaderElection.named(baton, LedgerNode.ELECTION).observe();
    }

    // tag::append[]
    /**
     * Appends, and returns the entry when it is stored. Until then it asks whoever is active, again and again and always
     * with the same key: so it does not matter whether an attempt without an answer has stored it.
     *
     * @throws IllegalArgumentException if the ledger refuses such an entry
     */
    LedgerEntry append(String key, String text) throws InterruptedException {
        while (true) {
            Leader active = observer.awaitLeader();
            var replaced = new CompletableFuture<Void>();
            Subscription changes = observer.onChange(now -> {
                if (!now.equals(Optional.of(active))) {
                    replaced.complete(null); // so nobody waits for the answer of a process that is frozen
                }
            });
            try {
                Optional<LedgerEntry> stored = ask(active, key, text, replaced);
                if (stored.isPresent()) {
                    return stored.get();
                }
                waitFor(replaced.completeOnTimeout(null, PAUSE.toMillis(), TimeUnit.MILLISECONDS));
            } finally {
                changes.close();
            }
        }
    }
    // end::append[]

    /** Asks once; empty if that has failed, or has not succeeded when this one was replaced. */
    private Optional<LedgerEntry> ask(Leader active, String key, String text, CompletableFuture<Void> replaced)
            throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + active.address() + LedgerHttp.PATH))
                .header(LedgerHttp.KEY, key)
                .POST(BodyPublishers.ofString(text))
                .timeout(PATIENCE)
                .build();
        CompletableFuture<HttpResponse<String>> answer = http.sendAsync(request, BodyHandlers.ofString());
        try {
            waitFor(CompletableFuture.anyOf(answer, replaced));
            return answer.isDone() ? entry(answer.get()) : Optional.empty();
        } catch (ExecutionException noAnswer) {
            return Optional.empty();
        } finally {
            answer.cancel(true);
        }
    }

    private static Optional<LedgerEntry> entry(HttpResponse<String> answer) {
        int status = answer.statusCode();
        if (status >= 400 && status < 500) {
            throw new IllegalArgumentException(answer.body());
        }
        return status == 200 ? Optional.of(LedgerEntry.decode(answer.body())) : Optional.empty();
    }

    /** Waits until it is complete, in whichever way. */
    private static void waitFor(CompletableFuture<?> future) throws InterruptedException {
        var done = new CountDownLatch(1);
        future.whenComplete((any, failure) -> done.countDown());
        done.await();
    }

    @Override
    public void close() {
        observer.close();
    }
}
