package io.baton.examples.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.baton.CoordinationException;
import io.baton.StoreUnavailableException;
import io.baton.election.Leader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The service over HTTP.
 *
 * <ul>
 *   <li>{@code POST /entries} with an {@code Idempotency-Key} appends the body; 200 and the entry once it is stored.
 *   <li>{@code GET /entries/17} reads; 404 if there is no such entry.
 *   <li>503: nothing was stored, and another process may be the active one; the answer says which.
 *   <li>504: it may have been stored. Whoever asks again with the same key finds out.
 *   <li>{@code GET /health}: 200, and whether it is active or stands by.
 * </ul>
 */
final class LedgerHttp implements AutoCloseable {

    static final String PATH = "/entries";
    static final String HEALTH = "/health";
    static final String KEY = "Idempotency-Key";

    private static final int MAX_KEY = 100;
    private static final int MAX_TEXT = 10_000;
    private static final int THREADS = 8;

    static {
        // An answer goes in two parts; without this the second one waits for 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final LedgerService service;
    private final Supplier<Optional<Leader>> leader;
    private final HttpServer server;
    private final HttpClient self = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /**
     * Listens.
     *
     * @param leader who leads, for clients that ask the wrong one
     */
    LedgerHttp(InetSocketAddress at, LedgerService service, Supplier<Optional<Leader>> leader) throws IOException {
        this.service = service;
        this.leader = leader;
        this.server = HttpServer.create(at, 0);
        server.setExecutor(threads);
        server.createContext(PATH, exchange -> answer(exchange, ask(exchange)));
        server.createContext(HEALTH, exchange -> answer(exchange, health()));
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** Whether this server answers. */
    boolean answers() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port() + HEALTH))
                .build();
        return self.send(request, BodyHandlers.discarding()).statusCode() == 200;
    }

    private static void answer(HttpExchange exchange, Answer answer) throws IOException {
        try (exchange) {
            byte[] body = answer.body().getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer health() {
        return new Answer(200, service.active().isPresent() ? "active" : "standby");
    }

    private Answer ask(HttpExchange exchange) throws IOException {
        try {
            return switch (exchange.getRequestMethod()) {
                case "POST" -> append(exchange);
                case "GET" -> get(exchange.getRequestURI().getPath());
                default -> new Answer(405, "POST or GET");
            };
        } catch (NotActiveException notHere) {
            return new Answer(
                    503,
                    "standby; active is " + leader.get().map(LedgerHttp::text).orElse("nobody"));
        } catch (StoreUnavailableException notStored) {
            return new Answer(503, "not stored: " + notStored.getMessage());
        } catch (CoordinationException unknown) {
            return new Answer(504, "stored or not: " + unknown.getMessage());
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return new Answer(504, "closing");
        }
    }

    private Answer append(HttpExchange exchange) throws IOException, NotActiveException, InterruptedException {
        String key = exchange.getRequestHeaders().getFirst(KEY);
        if (key == null || key.isEmpty() || key.length() > MAX_KEY) {
            return new Answer(400, KEY + ": 1 to " + MAX_KEY + " characters");
        }
        byte[] text = exchange.getRequestBody().readNBytes(MAX_TEXT + 1);
        if (text.length > MAX_TEXT) {
            return new Answer(413, "at most " + MAX_TEXT + " bytes");
        }
        return new Answer(200, service.append(key, new String(text, UTF_8)).encode());
    }

    private Answer get(String path) throws NotActiveException, InterruptedException {
        long number;
        try {
            number = Long.parseLong(path.substring((PATH + "/").length()));
        } catch (RuntimeException noNumber) {
            return new Answer(404, "no such path");
        }
        return service.get(number)
                .map(entry -> new Answer(200, entry.encode()))
                .orElse(new Answer(404, "no such entry"));
    }

    private static String text(Leader leader) {
        return leader.id() + " at " + leader.address();
    }

    private record Answer(int status, String body) {}
}
