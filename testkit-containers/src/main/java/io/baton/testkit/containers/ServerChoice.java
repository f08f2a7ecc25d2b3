package io.baton.testkit.containers;

import io.baton.testkit.server.TestServer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.containers.ContainerLaunchException;

/**
 * Chooses a server of this machine if there is one, else a container.
 *
 * @param howToGetOne the message when this machine has no server; it explains how to get one
 * @param here whether this machine has a server
 * @param local starts it
 * @param engineAnswers whether a container engine answers
 * @param container creates a container
 */
record ServerChoice(
        String howToGetOne,
        BooleanSupplier here,
        Supplier<? extends TestServer> local,
        BooleanSupplier engineAnswers,
        Supplier<? extends TestServer> container) {

    /**
     * Starts the server.
     *
     * @throws IllegalStateException if there is neither, or the container does not start; the message explains what to
     *     do
     */
    TestServer start() {
        if (here.getAsBoolean()) {
            return local.get();
        }
        try {
            if (engineAnswers.getAsBoolean()) {
                TestServer made = container.get();
                made.serve();
                return made;
            }
        } catch (ContainerLaunchException | ContainerFetchException broken) {
            throw new IllegalStateException(
                    howToGetOne + "; a container does not start either: " + broken.getMessage(), broken);
        }
        throw new IllegalStateException(
                howToGetOne + ", or start an engine for containers, as Docker or Podman: none answers");
    }
}
