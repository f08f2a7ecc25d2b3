package io.baton.cli.release;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Released;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.JsonObject;
import io.baton.cli.PlaceOption;
import io.baton.cli.QueueKind;
import io.baton.cli.ReadOnlyConnection;
import io.baton.cli.ReasonOption;
import io.baton.cli.Signals;
import io.baton.cli.Signals.Signal;
import io.baton.cli.StoreOption;
import io.baton.cli.Text;
import io.baton.cli.elect.Operator;
import io.baton.spi.Names;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.IntConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton release-request}. */
@Command(
        name = "release-request",
        sortOptions = false,
        customSynopsis = "baton release-request [--connect URI] [--timeout 30s] [--read-write]%n"
                + "                             [--at PATH [--dialect PEERS]] [--json] --reason TEXT NAME",
        header = "Asks the holder of a lock to release it.",
        description = {
            "",
            "Waits for what the holder makes of it: nothing is taken away. 'baton lock' answers if it has",
            "--on-release-request, and programs do if they listen. Of a read/write lock that several hold, the",
            "one that stands first is asked.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton release-request nightly-report --reason 'web1 is restarted at noon'",
            "  baton release-request --timeout 5m nightly-report --reason 'web1 is restarted at noon'",
            "",
            "--json prints one object with name, outcome ('released', 'free', 'refused' or 'unanswered') and",
            "answer, the reason for a refusal; null if there is none.",
            "",
            "Exit status: 0 if the hold that was asked for has ended; or",
            "    1  no process holds the lock",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached, or refuses",
            "   75  no answer in time; the holder may not listen, or may still decide to release",
            "   77  the holder refused, and says why",
            "128+n  signal n ended the wait: the request is withdrawn, if the store takes that in time"
        })
public final class ReleaseRequestCommand implements Callable<Integer> {

    /** The longest time to wait for the store, of the whole time. */
    private static final Duration STORE = Duration.ofSeconds(10);

    @Mixin
    StoreOption store;

    @Mixin
    ReasonOption reason;

    @Option(names = "--read-write", description = QueueKind.READ_WRITE)
    boolean readWrite;

    @Mixin
    PlaceOption place;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "30s",
            converter = DurationOption.class,
            description = "Wait no longer than this for the holder, and no longer than 10s of it for the store."
                    + " Default: ${DEFAULT-VALUE}.")
    Duration timeout;

    @Option(names = "--json", description = "For programs.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Parameters(paramLabel = "NAME", description = "The lock.")
    String name;

    @Spec
    CommandSpec spec;

    /** For the command line parser. */
    public ReleaseRequestCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        Names.check(name);
        place.check(store);
        String why = reason.text();
        Duration patience = timeout.compareTo(STORE) < 0 ? timeout : STORE;
        Released released;
        try (Coordinator baton =
                Coordinator.connect(store.uri(), ReadOnlyConnection.options(Operator.currentUser(), patience))) {
            DistributedLock lock = readWrite ? place.readWriteLock(baton, name).read() : place.lock(baton, name);
            // Closing the coordinator waits for the withdrawal, for a moment.
            var outcome = new CompletableFuture<Released>();
            Signals.handle(signal ->
                    onSignal(signal, outcome, status -> Runtime.getRuntime().halt(status)));
            CompletableFuture<Released> unused = lock.requestRelease(why, timeout)
                    .whenComplete((answer, failed) -> {
                        if (failed == null) {
                            outcome.complete(answer);
                        } else {
                            outcome.completeExceptionally(failed);
                        }
                    });
            released = await(outcome);
        }
        spec.commandLine()
                .getOut()
                .println(json ? json(name, released) : Text.line("'" + name + "': " + text(released, timeout)));
        return status(released.outcome());
    }

    /**
     * A signal ends the wait. Once there is an answer, it ends the process, which only waits for the store. A request
     * without one is being withdrawn, and that goes on.
     */
    static void onSignal(Signal signal, CompletableFuture<Released> outcome, IntConsumer halt) {
        int status = Exit.signalled(signal.number());
        boolean ended = outcome.completeExceptionally(new Failure(status, "the request is being withdrawn"));
        if (!ended && !outcome.isCompletedExceptionally() && outcome.join().outcome() != Released.Outcome.UNANSWERED) {
            halt.accept(status);
        }
    }

    private static Released await(CompletableFuture<Released> outcome) throws InterruptedException {
        try {
            return outcome.get();
        } catch (ExecutionException failed) {
            throw Failure.of(failed.getCause() == null ? failed : failed.getCause());
        }
    }

    /** Says what became of a request that was waited for so long. */
    static String text(Released released, Duration waited) {
        return switch (released.outcome()) {
            case FREE -> "no process holds it";
            case RELEASED -> "released";
            case REFUSED -> "refused" + (released.answer().isBlank() ? ", without a reason" : ": " + released.answer());
            case UNANSWERED ->
                "no answer within " + DurationOption.format(waited)
                        + ": the holder may not listen, or may still decide to release";
        };
    }

    static String json(String name, Released released) {
        return new JsonObject()
                .text("name", name)
                .text("outcome", released.outcome().name().toLowerCase(Locale.ROOT))
                .unlessEmpty("answer", released.answer())
                .end();
    }

    static int status(Released.Outcome outcome) {
        return switch (outcome) {
            case FREE -> Exit.NOBODY;
            case RELEASED -> Exit.OK;
            case REFUSED -> Exit.REFUSED;
            case UNANSWERED -> Exit.NO_ANSWER;
        };
    }
}
