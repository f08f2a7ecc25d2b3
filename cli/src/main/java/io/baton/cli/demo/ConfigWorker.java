package io.baton.cli.demo;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.config.Binding;
import io.baton.config.ConfigEvent;
import io.baton.config.LiveConfig;
import io.baton.spi.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a worker that concern its configuration: it follows the price of a ticket, and rejects invalid
 * prices.
 */
final class ConfigWorker {

    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration IN_VAIN = Duration.ofMillis(300);
    private static final int ATTEMPTS = 20;

    /** The settings of tickets. */
    record Terms(int price) {}

    private final Coordinator baton;
    private final DemoRun demoRun;
    private final String name;
    private final Consumer<Message> say;
    private @Nullable LiveConfig config;
    private @Nullable Binding<Terms> terms;
    /** Used by events only, which are sequential. */
    private boolean rejecting;

    ConfigWorker(Coordinator baton, DemoRun demoRun, String name, Consumer<Message> say) {
        this.baton = baton;
        this.demoRun = demoRun;
        this.name = name;
        this.say = say;
    }

    /** Runs a command; returns false if it is none of these. */
    boolean run(Message command) throws InterruptedException {
        switch (command.verb()) {
            case "follow" -> follow(Path.of(Names.decode(command.text(0))));
            case "quote" -> send("quotes", terms == null ? 0 : terms.get().price());
            case "unfollow" -> {
                close();
                send("unfollowed");
            }
            case "restart" -> restart(Path.of(Names.decode(command.text(0))));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void follow(Path cache) throws InterruptedException {
        LiveConfig opened = LiveConfig.builder(baton)
                .space(demoRun.space())
                .cache(cache)
                .instance(name)
                .startTimeout(START)
                .open();
        config = opened;
        terms = bind(opened);
        terms.onChange((before, now, changes) -> send("price", now.price()));
        opened.onEvent(this::onEvent);
    }

    /** Reports each event once, however often the store is read meanwhile. */
    private void onEvent(ConfigEvent event) {
        if (event instanceof ConfigEvent.Rejected && !rejecting) {
            rejecting = true;
            send("rejected");
        } else if (event instanceof ConfigEvent.Recovered) {
            rejecting = false;
            send("recovered");
        }
    }

    private void close() {
        if (config != null) {
            config.close();
        }
    }

    /** Values in use reach the disk with a delay, which a slow disk extends, so the check is repeated. */
    private void restart(Path cache) throws InterruptedException {
        int inUse = terms == null ? 0 : terms.get().price();
        Message started = start(cache);
        for (int attempt = 1; attempt < ATTEMPTS && started.number(1) != inUse; attempt++) {
            started = start(cache);
        }
        say.accept(started);
    }

    /** Starts like a service that cannot reach the store: no server listens at its address. */
    private Message start(Path cache) throws InterruptedException {
        String nowhere = demoRun.uri().startsWith("etcd") ? "etcd://127.0.0.1:1/demo" : "zk://127.0.0.1:1/demo";
        CoordinatorOptions options = CoordinatorOptions.builder()
                .client(name)
                .inBackground(true)
                .closeTimeout(IN_VAIN)
                .build();
        try (Coordinator alone = Coordinator.connect(nowhere, options);
                LiveConfig cold = LiveConfig.builder(alone)
                        .space(demoRun.space())
                        .cache(cache)
                        .startTimeout(IN_VAIN)
                        .open()) {
            return Message.of(
                    "started", cold.status().source(), bind(cold).get().price());
        }
    }

    private static Binding<Terms> bind(LiveConfig config) {
        return config.binding("tickets", Terms.class)
                .validate(terms -> terms.price() > 0, "the price must be more than 0")
                .bind();
    }

    private void send(String verb, Object... args) {
        say.accept(Message.of(verb, args));
    }
}
