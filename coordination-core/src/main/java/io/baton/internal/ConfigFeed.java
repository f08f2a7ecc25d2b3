package io.baton.internal;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.Telemetry;
import io.baton.spi.Names;
import io.baton.spi.TreeListener;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a live configuration, which lives in a module of its own, has of its coordinator. Any thread. */
public final class ConfigFeed {

    private final String tree;
    private final Parts parts;

    /** The parts of a client that it takes. */
    record Parts(
            DefaultCoordinator client,
            ClientLoop loop,
            Callbacks callbacks,
            TreeSubscriptions feeds,
            Reporter reporter) {}

    /** Told of a tree of records, across sessions, and of the contact. On the loop. */
    public interface Listener extends TreeListener {

        /** In contact. After a loss, what is known is the newest only with the next snapshot. */
        void connected();

        /** Out of contact. */
        void suspended();

        /** The session is over. */
        void lost();

        /** Nothing more is told. */
        void closed();
    }

    ConfigFeed(String tree, Parts parts) {
        this.tree = tree;
        this.parts = parts;
    }

    /**
     * The tree of records of this name.
     *
     * @throws IllegalArgumentException if there can be no such tree, or this coordinator is none of Baton's
     */
    public static ConfigFeed of(Coordinator coordinator, String tree) {
        return DefaultCoordinator.of(coordinator, "configurations").feed(Names.checkTree(tree));
    }

    /** The coordinator's loop. */
    public ClientLoop loop() {
        return parts.loop();
    }

    /** Where users' code runs. */
    public Callbacks callbacks() {
        return parts.callbacks();
    }

    /** The contact with the store. */
    public SessionState contact() {
        return parts.client().state();
    }

    /** Why there is no contact, for people, if that is known. */
    public Optional<String> trouble() {
        return parts.client().whyNoContact();
    }

    /** Tells telemetry listeners, if there are any. */
    public void tell(Supplier<Consumer<Telemetry>> event) {
        if (!parts.reporter().silent()) {
            parts.reporter().tell(event.get());
        }
    }

    /** Follows the tree until closed. */
    public Subscription follow(Listener to) {
        return parts.feeds().add(tree, to);
    }

    /** What a closed coordinator says. */
    public static CoordinationException closed() {
        return Acquisition.closed();
    }
}
