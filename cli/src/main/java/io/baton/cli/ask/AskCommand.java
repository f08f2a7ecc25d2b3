package io.baton.cli.ask;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Grid;
import io.baton.cli.JsonObject;
import io.baton.cli.Signals;
import io.baton.cli.Signals.Signal;
import io.baton.cli.StandardOutput;
import io.baton.cli.StoreConnection;
import io.baton.recipes.Asking;
import io.baton.recipes.NotAnsweredException;
import io.baton.recipes.QuestionFailedException;
import io.baton.recipes.StandingQuestion;
import io.baton.spi.Names;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton ask}. */
@Command(
        name = "ask",
        sortOptions = false,
        customSynopsis = "baton ask [--connect URI] [--timeout 10s] [--wait 1m] [--id ID] [--json] NAME QUESTION%n"
                + "       baton ask [--connect URI] [--timeout 10s] [--withdraw ID] [--json] NAME",
        header = "Asks another service to do something, and waits until it is done.",
        description = {
            "",
            "Prints the answer of the process that serves NAME. Without a QUESTION, prints which questions",
            "are on record. Questions of the same ID are the same question, and have one answer.",
            "Into a pipe or a file the answer is printed exactly as it is; on a terminal with a line end, and",
            "with signs that would command the terminal shown as \\u....",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton ask snapshot 'of the orders'",
            "  baton ask --id order-4711 --wait 5m reservations book    safe to repeat: reserves one",
            "  baton ask reservations                                   which questions there are",
            "  baton ask --withdraw order-4711 reservations             unless a process has begun with it",
            "",
            "--json prints one object: with id and answer, with withdrawn, or with questions, an array of",
            "objects with number, id, state, attempts and token.",
            "",
            "Exit status: 0, or",
            "    1  the process that served the question failed; or there was nothing to withdraw",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached",
            "   75  no answer in the time to wait, which stderr tells more of; or ID has another text",
            "128+n  signal n ended the wait: the question is withdrawn unless a process has begun with it"
        })
public final class AskCommand implements Callable<Integer> {

    private static final int WIDEST = 64;

    @Mixin
    StoreConnection store;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "1m",
            converter = DurationOption.class,
            description = "Wait no longer than this for the answer. Default: ${DEFAULT-VALUE}.")
    Duration wait;

    @Option(names = "--id", paramLabel = "ID", description = "What the question is called. Default: a random one.")
    @Nullable
    String id;

    @Option(names = "--withdraw", paramLabel = "ID", description = "Take this question off the record.")
    @Nullable
    String withdraw;

    @Option(names = "--json", description = "For programs.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Parameters(index = "0", paramLabel = "NAME", description = "Who is asked.")
    String name;

    @Parameters(index = "1", arity = "0..1", paramLabel = "QUESTION", description = "What is asked; - reads stdin.")
    @Nullable
    String question;

    @Spec
    CommandSpec spec;

    /** For the command line parser. */
    public AskCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        Names.check(name);
        if (withdraw != null && question != null) {
            throw Failure.usage("--withdraw takes a question off the record, and asks none");
        }
        if (id != null && question == null) {
            throw Failure.usage("--id names what is asked: say the question");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (Coordinator baton = store.connect("baton ask")) {
            Asking asking = Asking.named(baton, name);
            if (question != null) {
                ask(asking, question, out);
            } else if (withdraw != null) {
                withdraw(asking, withdraw, out);
            } else {
                show(asking.questions(), out);
            }
        }
        return Exit.OK;
    }

    private void ask(Asking asking, String what, PrintWriter out) throws InterruptedException {
        String called = id == null ? UUID.randomUUID().toString() : id;
        byte[] text = bytes(what);
        byte[] answer;
        var signals = new ArrayBlockingQueue<Signal>(1);
        Thread caller = Thread.currentThread();
        Signals.handle(signal -> {
            if (signals.offer(signal)) {
                caller.interrupt();
            }
        });
        try {
            answer = asking.ask(called, text, wait);
        } catch (InterruptedException interrupted) {
            Signal signal = signals.peek();
            if (signal == null) {
                throw interrupted;
            }
            // Closing the coordinator waits for the withdrawal, for a moment.
            throw new Failure(
                    Exit.signalled(signal.number()),
                    "question '" + called + "' is withdrawn, unless a process has begun with it: 'baton ask " + name
                            + "' shows whether it is on record");
        } catch (QuestionFailedException failed) {
            throw new Failure(Exit.FAILED, "the process that served it failed: " + Failure.text(failed));
        } catch (NotAnsweredException late) {
            throw new Failure(Exit.NO_ANSWER, Failure.text(late));
        } catch (CoordinationException refused) {
            throw Failure.conflictOr(refused);
        }
        if (json) {
            out.println(new JsonObject()
                    .text("id", called)
                    .text("answer", new String(answer, UTF_8))
                    .end());
        } else {
            StandardOutput.print(out, answer);
        }
    }

    private static byte[] bytes(String what) {
        try {
            return what.equals("-") ? System.in.readNBytes(Asking.MAX_BYTES + 1) : what.getBytes(UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private void withdraw(Asking asking, String what, PrintWriter out) throws InterruptedException {
        if (!asking.withdraw(what)) {
            throw new Failure(Exit.ABSENT, "there is no question '" + what + "' that no process has begun with");
        }
        out.println(json ? new JsonObject().text("withdrawn", what).end() : "withdrawn");
    }

    private void show(List<StandingQuestion> questions, PrintWriter out) {
        if (json) {
            out.println(new JsonObject()
                    .array("questions", questions, AskCommand::json)
                    .end());
            return;
        }
        if (questions.isEmpty()) {
            out.println("no question is on record");
            return;
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("", "STATE", "ATTEMPTS", "TOKEN", "ID"));
        for (StandingQuestion each : questions) {
            rows.add(List.of(
                    Long.toString(each.number()),
                    state(each),
                    Integer.toString(each.attempts()),
                    each.token() == 0 ? "-" : Long.toString(each.token()),
                    Grid.cell(each.id(), WIDEST)));
        }
        Grid.lines(rows).forEach(out::println);
    }

    private static String state(StandingQuestion question) {
        return question.state().toString().toLowerCase(Locale.ROOT);
    }

    private static String json(StandingQuestion each) {
        return new JsonObject()
                .number("number", each.number())
                .text("id", each.id())
                .text("state", state(each))
                .number("attempts", each.attempts())
                .number("token", each.token())
                .end();
    }
}
