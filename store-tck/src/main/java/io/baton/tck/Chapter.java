package io.baton.tck;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Telemetry;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigStore;
import io.baton.spi.Line;
import io.baton.spi.Store;
import io.baton.spi.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Base of the chapters: a store per test, clients that are closed after the test, and timeouts. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(ContractStore.class)
abstract class Chapter {

    static final String LINE = "locks/tck";

    /** The line of the read/write lock {@code tck}. */
    static final Line READ_WRITE = Line.of("rwlocks/tck", Line.Kind.READ_WRITE);

    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The timeout of sessions, which live on when a busy machine stands still for seconds. */
    static final Duration TTL = Duration.ofSeconds(20);

    private final List<TckClient> clients = new ArrayList<>();
    private final List<Coordinator> coordinators = new ArrayList<>();
    private @Nullable Contract contract;
    private @Nullable StoreUnderTest store;

    void begin(Contract its) throws Exception {
        contract = its;
        store = open();
    }

    /** Opens a second store; the caller closes it. */
    StoreUnderTest open() throws Exception {
        return requireNonNull(contract, "no test runs").store();
    }

    @AfterEach
    void closeEverything() throws Exception {
        StoreUnderTest used = store;
        if (used == null) {
            return;
        }
        try {
            used.restoreContact();
            coordinators.forEach(Coordinator::close);
            clients.forEach(TckClient::close);
        } finally {
            used.close();
        }
        assertThat(clients).flatExtracting(TckClient::breaches).isEmpty();
    }

    StoreUnderTest store() {
        return requireNonNull(store, "no test runs");
    }

    /** Opens a session and waits until it is in contact. */
    TckClient client() {
        return started("tck", store().uri(), TTL);
    }

    /** Opens a session that the test lets end by itself, and waits until it is in contact. */
    TckClient briefClient() {
        return started("tck", store().uri(), store().ttl());
    }

    /** Opens a session whose contact is not broken; skips the test if the store under test has no such way. */
    TckClient steadyClient() {
        Assumptions.assumeTrue(store().steadyUri().isPresent(), "the store under test has no steady way");
        return started("tck-steady", store().steadyUri().orElseThrow(), TTL);
    }

    /** Opens a session with this requested ttl; it need not be in contact yet. */
    TckClient clientWithTtl(Duration ttl) {
        return register(TckClient.open(storeAt(store().uri()), "tck", ttl));
    }

    /** Opens a session that need not come into contact. */
    TckClient clientWithoutContact() {
        return clientWithTtl(TTL);
    }

    /** Connects an application's client. */
    Coordinator coordinator() throws InterruptedException {
        return connect(store().uri(), "tck", false);
    }

    /** Connects an application's client whose session the test lets end by itself. */
    Coordinator briefCoordinator() throws InterruptedException {
        return coordinator(options("tck").ttl(store().ttl()));
    }

    /** Connects an application's client that reports to this telemetry. */
    Coordinator coordinator(Telemetry telemetry) throws InterruptedException {
        return connect(store().uri(), "tck", false, telemetry);
    }

    /** Connects an application's client with these options. */
    Coordinator coordinator(CoordinatorOptions.Builder options) throws InterruptedException {
        return connect(store().uri(), options.build());
    }

    /** Connects an application's client whose waiters join again when their session ends. */
    Coordinator rejoiningCoordinator() throws InterruptedException {
        return connect(store().uri(), "tck", true);
    }

    /** Connects an application's client that need not come into contact. */
    Coordinator coordinatorInBackground() throws InterruptedException {
        return connect(store().uri(), options("tck").inBackground(true).build());
    }

    Coordinator steadyCoordinator() throws InterruptedException {
        return steadyCoordinator(options("tck-steady"));
    }

    /** Connects an application's client with these options whose contact is not broken. */
    Coordinator steadyCoordinator(CoordinatorOptions.Builder options) throws InterruptedException {
        Assumptions.assumeTrue(store().steadyUri().isPresent(), "the store under test has no steady way");
        return connect(store().steadyUri().orElseThrow(), options.build());
    }

    static Store storeAt(String uri) {
        return Stores.at(uri);
    }

    /** Begins an edit of a configuration that is given up after {@link #PATIENCE}. */
    static ConfigEdit edit(ConfigStore store) {
        return store.edit().timeout(PATIENCE);
    }

    /** Waits for a condition with {@link #PATIENCE}. */
    static ConditionFactory soon() {
        return Awaitility.await().atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
    }

    /** Fails as soon as the condition does not hold during a short time. */
    static void stays(Callable<Boolean> condition) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .during(Duration.ofMillis(250))
                .atMost(PATIENCE)
                .failFast("what was to stay has changed", () -> !condition.call())
                .until(condition);
    }

    /** Returns the outcome of an asynchronous call; rethrows the cause of a failure. */
    static <T> T outcome(Future<T> future) throws InterruptedException {
        try {
            return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError("the call failed in an unexpected way", failed.getCause());
        } catch (TimeoutException late) {
            throw new AssertionError("no answer within " + PATIENCE, late);
        }
    }

    private TckClient started(String name, String uri, Duration ttl) {
        TckClient client = register(TckClient.open(storeAt(uri), name, ttl));
        soon().until(() -> client.told().contains("connected"));
        return client;
    }

    private TckClient register(TckClient client) {
        clients.add(client);
        return client;
    }

    private Coordinator connect(String uri, String client, boolean rejoin, Telemetry... telemetry)
            throws InterruptedException {
        var options = options(client).rejoin(rejoin);
        List.of(telemetry).forEach(options::telemetry);
        return connect(uri, options.build());
    }

    CoordinatorOptions.Builder options(String client) {
        return CoordinatorOptions.builder().ttl(TTL).connectTimeout(PATIENCE).client(client);
    }

    private Coordinator connect(String uri, CoordinatorOptions options) throws InterruptedException {
        Coordinator coordinator = Coordinator.connect(uri, options);
        coordinators.add(coordinator);
        return coordinator;
    }
}
