package io.baton.examples.ledger;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Requests to one certain process: who is frozen has some waiting when it wakes. */
final class Stragglers {

    private static final int AT_ONCE = 4;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();

    /** Sends some; does not wait for answers. */
    void post(int port) {
        URI entries = URI.create("http://localhost:" + port + LedgerHttp.PATH);
        for (int i = 0; i < AT_ONCE; i++) {
            HttpRequest request = HttpRequest.newBuilder(entries)
                    .header(LedgerHttp.KEY, "straggler-" + answers.size())
                    .POST(BodyPublishers.ofString("straggler " + answers.size()))
                    .build();
            answers.add(http.sendAsync(request, BodyHandlers.ofString()));
        }
    }

    int sent() {
        return answers.size();
    }

    /** What they were told is stored. */
    List<LedgerEntry> acknowledged() {
        return answers.stream()
                .map(CompletableFuture::join)
                .filter(answer -> answer.statusCode() == 200)
                .map(answer -> LedgerEntry.decode(answer.body()))
                .toList();
    }
}
