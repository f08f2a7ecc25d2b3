package io.baton.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.Coordinator;
import io.baton.recipe.Futures;
import io.baton.recipe.Membership;
import io.baton.recipe.RecipeContext;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Names;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A recipe of our own, built on {@code io.baton.recipe}: the instances of a service, each with its address. */
// tag::recipe[]
final class Roster implements AutoCloseable {

    private final RecipeContext context;
    private final Line line;
    private final Membership own;

    private Roster(RecipeContext context, Line line) {
        this.context = context;
        this.line = line;
        this.own = context.lines().join(line);
    }

    /** Shows this instance for as long as its session lasts, and again in the next one. */
    static Roster join(Coordinator baton, String service, String address) {
        RecipeContext context = RecipeContext.of(baton, "rosters");
        Roster roster = new Roster(context, Line.of("rosters/" + Names.encode(service)));
        roster.own.publish(address.getBytes(UTF_8));
        return roster;
    }

    /** The addresses of all instances, oldest first. */
    List<String> addresses() throws InterruptedException {
        CompletableFuture<List<Entry>> all =
                Futures.callOnLoop(context.loop(), () -> context.lines().entries(line, "the roster"));
        return Futures.interruptibly(all).stream()
                .map(entry -> new String(entry.payload(), UTF_8))
                .toList();
    }

    @Override
    public void close() {
        Futures.awaitDone(context.closeTimeout(), own.close());
    }
}
// end::recipe[]
