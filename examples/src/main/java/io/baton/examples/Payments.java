package io.baton.examples;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Secret;
import io.baton.config.Binding;
import io.baton.config.Canary;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigStore;
import io.baton.config.DefaultValue;
import io.baton.config.LiveConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Payments, with settings that can be changed while it runs. */
public final class Payments {

    // tag::settings[]
    /** What can be set, as {@code payments.yaml}: {@code {timeout: 5s, retry: {limit: 3}, bank: {password: ...}}}. */
    record PaymentSettings(@DefaultValue("3s") Duration timeout, Retry retry, Bank bank) {

        record Retry(
                @DefaultValue("3") int limit,
                @DefaultValue("[502, 503]") List<Integer> statuses) {}

        record Bank(@DefaultValue("https://bank.example") String url, Secret password) {}
    }
    // end::settings[]

    private Payments() {}

    /** The arguments are the store, this instance's name, and the file for its last known good settings. */
    public static void main(String[] args) throws InterruptedException {
        // tag::open[]
        CoordinatorOptions options =
                CoordinatorOptions.builder().inBackground(true).build(); // starts also while the store is down
        try (Coordinator baton = Coordinator.connect(args[0], options);
                LiveConfig config = LiveConfig.builder(baton)
                        .defaults(Map.of("payments.bank.password", "none"))
                        .environment("SHOP_", System.getenv()) // SHOP_PAYMENTS_TIMEOUT=4s
                        .cache(Path.of(args[2])) // the last good values, for a start without the store
                        .instance(args[1]) // to be seen in 'baton config status'
                        .open()) {
            // end::open[]
            config.onEvent(event -> System.out.println(event));
            Binding<PaymentSettings> settings = settings(config);
            System.out.println(config.status().source() + ": " + settings.get());
            Thread.currentThread().join();
        }
    }

    static Binding<PaymentSettings> settings(LiveConfig config) {
        // tag::bind[]
        Binding<PaymentSettings> settings = config.binding("payments", PaymentSettings.class)
                .validate(each -> each.timeout().compareTo(Duration.ofSeconds(10)) < 0, "timeout must be below 10s")
                .bind();
        settings.onChange((before, now, changes) -> System.out.println("payments: " + changes)); // now, and later
        // end::bind[]
        return settings;
    }

    static Binding<Boolean> killSwitch(LiveConfig config) {
        // tag::independent[]
        Binding<Boolean> enabled = config.binding("payments.enabled", Boolean.class)
                .orElse(true)
                .independent() // takes effect also while another binding rejects the revision
                .bind();
        // end::independent[]
        return enabled;
    }

    static Canary trySlowBank(Coordinator baton) throws InterruptedException {
        // tag::canary[]
        ConfigStore store = ConfigStore.of(baton);
        Canary canary = store.edit()
                .put("payments.timeout", "5s")
                .canary(Map.of("zone", "a"), 20); // in 20 % of the instances that bear the label zone=a
        // end::canary[]
        return canary;
    }

    static boolean slowBank(Coordinator baton, LiveConfig config) throws InterruptedException {
        // tag::write[]
        ConfigCommit commit = ConfigStore.of(baton)
                .edit()
                .put("payments.timeout", "5s") // both, or none
                .put("payments.retry.limit", "2")
                .comment("slow bank")
                .commit();
        return config.awaitRevision(commit.revision(), Duration.ofSeconds(5)); // in use here?
        // end::write[]
    }
}
