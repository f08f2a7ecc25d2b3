package io.baton.chaos.servers;

import io.baton.chaos.client.RecipeNames;
import io.baton.recipes.Asking;
import io.baton.recipes.Barrier;
import io.baton.recipes.Counter;
import io.baton.recipes.DoubleBarrier;
import io.baton.recipes.Latch;
import io.baton.recipes.Seats;
import io.baton.recipes.Sequence;
import io.baton.testkit.etcd.EtcdCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Who runs etcd's servers: sets what the clients' one user may do, raises alarms, and writes the clients' settings. */
final class EtcdOperator {

    /** What the clients' keys begin with. */
    static final String ROOT = "/chaos";

    /** The trees and lines of read/write locks and semaphores, and the trees of locks with options. */
    private static final List<String> FAMILY =
            List.of("rwlocks", "semaphores", "baton.permits", "baton.semaphores", "baton.delays", "baton.releases");

    /** The trees of recipes, and what their lines begin with. */
    private static final List<String> RECIPES = List.of(
            Counter.TREE,
            Sequence.TREE,
            Seats.TREE,
            Barrier.TREE,
            "baton.parties",
            DoubleBarrier.TREE,
            "baton.inside",
            Latch.TREE,
            Asking.TREE,
            Asking.TEXTS,
            "baton.groups");

    private static final String USER = "app";
    private static final String PASSWORD = "the-app's-secret";
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final EtcdCluster cluster;
    private final CertificateFiles certificates;
    private final Path folder;

    /** Makes the user, who may use these locks, all read/write locks and semaphores, the counters, and the recipes. */
    EtcdOperator(EtcdCluster cluster, CertificateFiles certificates, List<String> locks, Path folder) {
        this.cluster = cluster;
        this.certificates = certificates;
        this.folder = folder.toAbsolutePath();
        cluster.addUser(USER, PASSWORD, ROOT + "/counters/");
        grant("readwrite", ROOT + "/.sessions/");
        FAMILY.forEach(tree -> grant("readwrite", ROOT + "/" + tree + "/"));
        RECIPES.forEach(tree -> grant("readwrite", ROOT + "/" + tree + "/"));
        locks.forEach(lock -> permit(lock, Permission.ALL));
        RecipeNames.seatLocks().forEach(this::permit);
        permit(RecipeNames.SERVING);
        write("password", List.of(PASSWORD));
        List<String> user = List.of("user=" + USER, "password.file=" + this.folder.resolve("password"));
        write("clear.properties", user);
        List<String> secure = new ArrayList<>(user);
        secure.addAll(certificates.settings());
        write("secure.properties", secure);
    }

    /** The file with the settings of clients that speak TLS, or do not. */
    Path settings(boolean secure) {
        return folder.resolve(secure ? "secure.properties" : "clear.properties");
    }

    CertificateFiles certificates() {
        return certificates;
    }

    private void permit(String recipesLock) {
        permit(recipesLock.replace("/", "%2F"), Permission.ALL);
    }

    void permit(String lock, Permission permission) {
        String line = ROOT + "/locks/" + lock + "/";
        switch (permission) {
            case ALL -> grant("readwrite", line);
            case READ -> grant("read", line);
            case NONE -> revoke(line);
        }
    }

    /** By the alarm that the servers raise themselves when there is no space. */
    void useUpSpace(boolean up) {
        if (up) {
            raiseAlarm();
        } else {
            cluster.ctl().run("alarm", "disarm");
        }
    }

    private void grant(String what, String prefix) {
        cluster.ctl().run("role", "grant-permission", "--prefix=true", USER, what, prefix);
    }

    private void revoke(String prefix) {
        try {
            cluster.ctl().run("role", "revoke-permission", "--prefix=true", USER, prefix);
        } catch (IllegalStateException failed) {
            // It may have been done at an attempt before, of which nobody told.
            if (!String.valueOf(failed.getMessage()).contains("is not granted")) {
                throw failed;
            }
        }
    }

    /** etcd's own client can end alarms only. */
    private void raiseAlarm() {
        URI uri = URI.create(cluster.endpoint(cluster.leader()) + "/v3/maintenance/alarm");
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(PATIENCE)
                .POST(BodyPublishers.ofString("{\"action\":\"ACTIVATE\",\"memberID\":\"1\",\"alarm\":\"NOSPACE\"}"))
                .build();
        try {
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException("no alarm was raised: " + answer.body());
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("perhaps no alarm was raised", broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    private void write(String name, List<String> lines) {
        try {
            Files.writeString(folder.resolve(name), String.join("\n", lines));
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot write " + folder.resolve(name), broken);
        }
    }
}
