package io.baton.cli.config;

import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import io.baton.config.Canary;
import io.baton.config.ConfigStore;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a change starts as a canary: {@code --canary}, {@code --label}, {@code --promote-after}. */
final class CanaryOptions {

    /** How long a promotion may take, beyond the time of watching. */
    private static final Duration PROMOTION = Duration.ofMinutes(1);

    @Option(
            names = "--canary",
            paramLabel = "SHARE",
            converter = Percent.class,
            description = "For this share of the instances first, as 20%%.")
    @Nullable
    Integer percent;

    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            description = "Of the instances that bear this label; may be given for several.")
    Map<String, String> labels = new LinkedHashMap<>();

    @Option(
            names = "--promote-after",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description = "Look on for this long; then make it a change for all, or take it back.")
    @Nullable
    Duration promoteAfter;

    @Option(
            names = "--lasts",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description =
                    "After this long the instances take it back by themselves (default: 15m, or 1m after --promote-after).")
    @Nullable
    Duration lasts;

    /** Checks the options. */
    void check() {
        if (percent == null && (!labels.isEmpty() || promoteAfter != null || lasts != null)) {
            throw Failure.usage("--label, --promote-after and --lasts go with --canary");
        }
        if (lasts != null && promoteAfter != null && lasts.compareTo(promoteAfter.plus(PROMOTION)) < 0) {
            throw Failure.usage("--lasts must be 1m more than --promote-after, for the promotion itself");
        }
    }

    /** When the canary ends if it is not promoted. */
    Duration lasts() {
        if (lasts != null) {
            return lasts;
        }
        return promoteAfter == null ? Duration.ofMinutes(15) : promoteAfter.plus(PROMOTION);
    }

    boolean given() {
        return percent != null;
    }

    int percent() {
        return percent == null ? 0 : percent;
    }

    Map<String, String> labels() {
        return labels;
    }

    /** Reports a canary that has begun, or watches it; returns the exit status. */
    int goOn(PrintWriter out, boolean json, ConfigStore store, Canary begun) throws InterruptedException {
        if (promoteAfter != null) {
            Report.line("canary " + begun.id() + " is in use in " + CanaryShown.share(begun) + "; looking on for "
                    + DurationOption.format(promoteAfter));
            Written.print(out, json, store, new CanaryMonitor(store, begun).run(promoteAfter));
            return Exit.OK;
        }
        new CanaryShown(Shown.discreet(), json).printBegun(out, begun, store);
        return Exit.OK;
    }
}
