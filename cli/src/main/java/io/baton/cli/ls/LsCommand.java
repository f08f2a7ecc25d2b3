package io.baton.cli.ls;

import io.baton.CoordinationException;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.InspectorOptions;
import io.baton.cli.Report;
import io.baton.cli.ls.StoreContents.Kind;
import io.baton.spi.Names;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton ls}. */
@Command(
        name = "ls",
        sortOptions = false,
        customSynopsis = "baton ls [--connect URI] [--limit 1000] [--after NAME] [--watch] [--json] [KIND]",
        header = "Lists locks, semaphores, elections and configurations, with holders and leaders.",
        description = {
            "",
            "All that is below the path of the URI, at most --limit of each kind. It only reads. Locks and",
            "elections at paths of their own (--at) are not among them: see 'baton queue', 'baton leader'.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton ls                                          what there is",
            "  baton ls locks --watch                            again whenever it changes, until Ctrl-C",
            "  baton ls --json | jq -r '.locks[] | select(.waiting > 10) | .name'       long queues",
            "",
            "Of a read/write lock, HOLDER is the first: with the claim 'shared' others may hold it, too.",
            "CONTENDERS hold it or wait for it: see 'baton queue --read-write NAME'. A semaphore is listed",
            "while a process holds permits of it or waits: see 'baton queue --semaphore NAME'.",
            "NODES are those of an active and standby service ('baton standby status'). CHANGE is the",
            "number of a configuration's last change ('baton config history'). INSTANCES are those that",
            "follow it and have a name ('baton config status').",
            "",
            "--json prints one object a line, with locks (name, holder: token, client, host, pid, since;",
            "waiting), rwlocks (name, holder: the same and claim; contenders), semaphores (name, holders,",
            "waiting), elections (name, leader: term, id, address; candidates, nodes), configurations (space,",
            "change, keys, instances) and more: for each kind of which there are others, what to give --after",
            "for the next page. null is where there is nothing to say.",
            "",
            "Exit status: 0, also if there is nothing; or",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached, or refuses"
        })
public final class LsCommand implements Callable<Integer> {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    @Mixin
    InspectorOptions options;

    @Option(
            names = "--limit",
            paramLabel = "COUNT",
            defaultValue = "1000",
            description =
                    "No more than so many of each kind; a line says if there are others. Default: ${DEFAULT-VALUE}.")
    int limit;

    @Option(names = "--after", paramLabel = "NAME", description = "With KIND: only those behind this one.")
    @Nullable
    String after;

    @Option(names = "--watch", description = "Print again whenever it has changed, until Ctrl-C.")
    boolean watch;

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            defaultValue = "2s",
            converter = DurationOption.class,
            description = "With --watch: how often to look. Default: ${DEFAULT-VALUE}.")
    Duration interval;

    @Parameters(
            paramLabel = "KIND",
            arity = "0..1",
            description = "One of ${COMPLETION-CANDIDATES}. Default: all of them.")
    @Nullable
    Kind kind;

    @Spec
    CommandSpec spec;

    /** Made by the command line parser. */
    public LsCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (limit < 1) {
            throw Failure.usage("--limit must be at least 1, not " + limit);
        } else if (after != null && kind == null) {
            throw Failure.usage("--after goes with a kind: locks, rwlocks, semaphores, elections or configurations");
        }
        String behind = after == null ? "" : Names.check(after);
        Set<Kind> kinds = kind == null ? EnumSet.allOf(Kind.class) : EnumSet.of(kind);
        return options.inspect(inspector -> {
            var reader = new ContentsReader(inspector, kinds, behind, limit);
            StoreContents first = reader.read();
            print(first);
            return watch ? watch(reader, first) : Exit.OK;
        });
    }

    /** Until a signal ends this process, or its output cannot be written any more. */
    private int watch(ContentsReader reader, StoreContents first) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        StoreContents shown = first;
        boolean contact = true;
        while (!out.checkError()) {
            TimeUnit.NANOSECONDS.sleep(interval.toNanos());
            try {
                StoreContents now = reader.read();
                if (!now.equals(shown)) {
                    print(now);
                }
                shown = now;
                contact = true;
            } catch (CoordinationException away) {
                if (contact) {
                    Report.line(Failure.text(away));
                }
                contact = false;
            }
        }
        return Exit.OK;
    }

    private void print(StoreContents contents) {
        PrintWriter out = spec.commandLine().getOut();
        if (options.json()) {
            out.println(ContentsJson.of(contents));
            return;
        }
        if (watch) {
            out.println(TIME.format(LocalTime.now(ZoneId.systemDefault())));
        }
        ContentsText.lines(options.uri(), contents).forEach(out::println);
        if (watch) {
            out.println();
        }
    }
}
