package io.baton.chaos.candidate;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** What whoever has started a process tells it, a line each; the process ends with the last one. */
public final class Orders {

    private Orders() {}

    /** Obeys until there are no more, and ends this JVM then. */
    public static void obey(Consumer<List<String>> order) {
        try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                order.accept(List.of(line.split(" ", -1)));
            }
        } catch (IOException gone) {
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(1);
    }
}
