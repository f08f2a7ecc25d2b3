package io.baton.cli.config;

import io.baton.Coordinator;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import io.baton.config.ConfigListener;
import io.baton.config.ConfigSnapshot;
import io.baton.config.ConfigSource;
import io.baton.config.ListenerOptions;
import io.baton.config.LiveConfig;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton config watch}. */
@Command(
        name = "watch",
        sortOptions = false,
        customSynopsis = "baton config watch [--connect URI] [--space TREE] [--exact] [--count N]%n"
                + "                    [--reveal] [--json] [PREFIX]",
        header = "Prints every change as it is made, until Ctrl-C.",
        description = {
            "",
            "Of keys that begin with PREFIX. What was changed while there was no contact is printed when there",
            "is contact again; of several changes that a key has had by then, only the last may be told.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton config watch payments.",
            "  baton config watch --exact --count 1 timeout       waits for the next change of timeout",
            "",
            "--json prints one object a line with event, time (UTC) and revision: 'following', once, when",
            "it has begun; 'changed', with changes: all that was changed at once; 'resynced', and 'rewound'",
            "if the store was set back or replaced, with differences: how many keys differ; 'rejected', with",
            "change, key and reason, if what the store has cannot be read, and 'recovered'.",
            "",
            "Exit status: 130 after Ctrl-C, 0 after --count; or",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached"
        })
final class WatchCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Option(names = "--exact", description = "Of the key PREFIX only, not of longer ones.")
    boolean exact;

    @Option(names = "--count", paramLabel = "N", description = "End after this many changes. Default: never.")
    long count;

    @Mixin
    Reveal reveal;

    @Parameters(paramLabel = "PREFIX", arity = "0..1", defaultValue = "", description = "What keys begin with.")
    String prefix;

    @Spec
    CommandSpec spec;

    private final BlockingQueue<WatchOutput> seen = new LinkedBlockingQueue<>();

    @Override
    public Integer call() throws InterruptedException {
        if (count < 0 || (exact && prefix.isEmpty())) {
            throw Failure.usage(count < 0 ? "--count must be at least 1" : "--exact goes with a key");
        }
        return space.connect(this::watch);
    }

    int watch(Coordinator baton) throws InterruptedException {
        try (LiveConfig live = LiveConfig.builder(baton)
                .space(space.tree)
                .startTimeout(space.timeout)
                .open()) {
            live.status().rejection().ifPresent(why -> {
                throw new Failure(Exit.UNAVAILABLE, why.key() + " cannot be read: " + why.reason());
            });
            if (live.status().source() != ConfigSource.LIVE) {
                throw new Failure(
                        Exit.UNAVAILABLE,
                        "the store has not said within " + DurationOption.format(space.timeout) + " what is there");
            }
            Subscription contact = baton.onState(WatchCommand::printContact);
            Subscription events = live.onEvent(event -> WatchOutput.of(event).ifPresent(seen::add));
            Subscription changes = listen(live);
            print(live.snapshot());
            changes.close();
            events.close();
            contact.close();
            return Exit.OK;
        }
    }

    private Subscription listen(LiveConfig live) {
        ListenerOptions options = ListenerOptions.named("baton config watch");
        ConfigListener listener = new LaterChanges(seen);
        return exact ? live.onKey(prefix, options, listener) : live.onPrefix(prefix, options, listener);
    }

    /** Prints until there were enough changes, a signal ends this process, or stdout is closed. */
    private void print(ConfigSnapshot first) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Shown shown = reveal.shown();
        print(out, new WatchOutput.Begun(Instant.now(), first), shown);
        for (long left = count == 0 ? Long.MAX_VALUE : count; left > 0 && !out.checkError(); ) {
            WatchOutput sight = seen.take();
            print(out, sight, shown);
            left -= sight instanceof WatchOutput.Changed ? 1 : 0;
        }
    }

    private void print(PrintWriter out, WatchOutput sight, Shown shown) {
        if (space.json) {
            out.println(sight.json(shown));
        } else {
            sight.lines(shown).forEach(out::println);
        }
    }

    private static void printContact(SessionState state) {
        if (state == SessionState.SUSPENDED) {
            Report.line("no contact with the store: there may be changes that are not seen yet");
        }
    }
}
