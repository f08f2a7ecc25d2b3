package io.baton.cli.evict;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.DistributedReadWriteLock;
import io.baton.DistributedSemaphore;
import io.baton.QueueEntry;
import io.baton.SemaphoreView;
import io.baton.cli.ContenderFormat;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.JsonObject;
import io.baton.cli.PlaceOption;
import io.baton.cli.QueueKind;
import io.baton.cli.ReadOnlyConnection;
import io.baton.cli.ReasonOption;
import io.baton.cli.StoreOption;
import io.baton.cli.Text;
import io.baton.cli.elect.Operator;
import io.baton.spi.Line;
import io.baton.spi.Names;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton evict}. */
@Command(
        name = "evict",
        sortOptions = false,
        customSynopsis = "baton evict [--connect URI] [--timeout 10s] [--read-write | --semaphore]%n"
                + "                   [--at PATH [--dialect PEERS]] [--entry ENTRY] [--json] --reason TEXT%n"
                + "                   NAME TOKEN",
        header = "Removes one contender from the line of a lock or a semaphore.",
        description = {
            "",
            "For a holder that hangs, or a waiter that must not get its turn. Removes the entry with this",
            "token and no other; the store keeps on record who did it, when and why. The next contender is",
            "granted at once. A lock with --hold-at-least or --delay-after-loss may keep it waiting for up to",
            "the longer of the two; 'baton queue' shows them.",
            "",
            "On databases a holder and a waiter of a semaphore may have the same token. Then nothing is removed,",
            "and the message names the entry of each, of which one goes into --entry.",
            "",
            "The evicted process learns of it at its next heartbeat at the latest. Until then it may be at",
            "work: the store refuses its guarded writes, and nothing prevents its other effects.",
            "Ask first, if there is time: 'baton release-request'.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton queue nightly-report                                    which token has it?",
            "  baton evict nightly-report 4711 --reason 'hangs since 3 am'",
            "  baton evict --semaphore uploads 12 --reason 'web1 is switched off'",
            "",
            "'baton lock' ends its command when it is evicted, and says by whom and why. If it waits, it joins",
            "the line again, at its end.",
            "",
            "--json prints one object with name, holder (whether it held), token, client, host, pid and since,",
            "as 'baton queue --json' has them.",
            "",
            "Exit status: 0 if it was removed; or",
            "    1  no contender has this token (any more); nothing was removed",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached, or refuses; the message says if the outcome is not known"
        })
public final class EvictCommand implements Callable<Integer> {

    /** Removes a contender from its line; false if it is gone already. */
    @FunctionalInterface
    private interface Removal {
        boolean evict(QueueEntry who, String reason) throws InterruptedException;
    }

    @Mixin
    StoreOption store;

    @Mixin
    ReasonOption reason;

    @ArgGroup
    @Nullable
    QueueKind kind;

    @Mixin
    PlaceOption place;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationOption.class,
            description = "Wait no longer than this for the store. Default: ${DEFAULT-VALUE}.")
    Duration timeout;

    @Option(
            names = "--entry",
            paramLabel = "ENTRY",
            description = "Where several contenders of a semaphore have this token: the one with this entry.")
    @Nullable
    String entry;

    @Option(names = "--json", description = "For programs.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock or semaphore.")
    String name;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "TOKEN",
            description = "The token of the contender; 'baton queue NAME' shows it.")
    @Nullable
    String token;

    @Spec
    CommandSpec spec;

    /** For the command line parser. */
    public EvictCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        Names.check(name);
        place.check(store);
        Line.Kind line = QueueKind.of(kind, place);
        long number = number(line);
        String why = reason.text();
        QueueEntry gone;
        try (Coordinator baton =
                Coordinator.connect(store.uri(), ReadOnlyConnection.options(Operator.currentUser(), timeout))) {
            gone = evict(baton, line, number, why)
                    .orElseThrow(() -> new Failure(
                            Exit.ABSENT,
                            "no contender of '" + name + "' has token " + number
                                    + ", so nothing was removed: it is gone already, or " + queue(line)
                                    + " shows another token"));
        }
        spec.commandLine().getOut().println(json ? json(gone) : Text.line("'" + name + "': evicted " + text(gone)));
        return Exit.OK;
    }

    private long number(Line.Kind line) {
        if (token == null) {
            throw Failure.usage("which contender? " + queue(line) + " shows the TOKEN of each, which goes behind NAME");
        }
        try {
            return Long.parseLong(token);
        } catch (NumberFormatException wrong) {
            throw Failure.usage("'" + token + "' is no token, which is a number: " + queue(line) + " shows it");
        }
    }

    /** The command that shows the line. */
    private String queue(Line.Kind line) {
        String option = switch (line) {
            case MUTEX -> "";
            case READ_WRITE -> "--read-write ";
            case PERMITS -> "--semaphore ";
        };
        return "'baton queue " + option + name + "'" + (place.given() ? ", with the same --at," : "");
    }

    private Optional<QueueEntry> evict(Coordinator baton, Line.Kind line, long number, String why)
            throws InterruptedException {
        switch (line) {
            case MUTEX -> {
                DistributedLock lock = place.lock(baton, name);
                return evict(lock.queue().stream(), number, why, lock::evict);
            }
            case READ_WRITE -> {
                DistributedReadWriteLock lock = place.readWriteLock(baton, name);
                return evict(lock.queue().stream(), number, why, lock::evict);
            }
            case PERMITS -> {
                // The size is that of the store; what is declared here matters to those only who acquire.
                DistributedSemaphore semaphore = baton.semaphore(name, 1);
                SemaphoreView view = semaphore.view();
                return evict(
                        Stream.of(view.holders(), view.waiting()).flatMap(List::stream), number, why, semaphore::evict);
            }
        }
        throw new IllegalStateException(line.name());
    }

    private Optional<QueueEntry> evict(Stream<QueueEntry> contenders, long number, String why, Removal removal)
            throws InterruptedException {
        Optional<QueueEntry> who = one(contenders.filter(each -> each.token() == number));
        return who.isPresent() && removal.evict(who.get(), why) ? who : Optional.empty();
    }

    /** Of a semaphore on a database two may have the same token: one in the queue, one among the permits. */
    Optional<QueueEntry> one(Stream<QueueEntry> withTheToken) {
        List<QueueEntry> all = withTheToken
                .filter(each -> entry == null || each.entry().equals(entry))
                .toList();
        if (all.size() > 1) {
            throw Failure.usage(all.stream()
                    .map(each -> Text.line(text(each) + " (--entry " + each.entry() + ")"))
                    .collect(Collectors.joining(
                            "; ", "which contender? Several of '" + name + "' have this token: ", "")));
        }
        return all.stream().findFirst();
    }

    private static String text(QueueEntry entry) {
        return ContenderFormat.text(entry) + " with token " + entry.token()
                + (entry.holder() ? ", a holder" : ", a waiter");
    }

    private String json(QueueEntry gone) {
        JsonObject object = new JsonObject().text("name", name).flag("holder", gone.holder());
        return ContenderFormat.json(object, gone).end();
    }
}
