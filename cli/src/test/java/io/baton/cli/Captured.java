package io.baton.cli;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What a command line that ends at once does, run in this JVM.
 *
 * @param status its exit status
 * @param out what it printed
 * @param err what it printed to stderr
 */
public record Captured(int status, String out, String err) {

    /** Runs it. */
    public static Captured run(String... args) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        return printingTo(
                out,
                err,
                () -> new Captured(
                        Main.run(List.of(args)),
                        out.toString(StandardCharsets.UTF_8),
                        err.toString(StandardCharsets.UTF_8)));
    }

    /** Several at once, each in a thread of its own, which has to print what it prints; in their order. */
    static List<Captured> runTogether(List<List<String>> lines) {
        var out = new OwnOutput();
        var err = new OwnOutput();
        return printingTo(out, err, () -> {
            var all = new ArrayList<CompletableFuture<Captured>>();
            for (List<String> line : lines) {
                all.add(CompletableFuture.supplyAsync(
                        () -> new Captured(Main.run(line), out.printed(), err.printed()),
                        command -> new Thread(command).start()));
            }
            return all.stream().map(CompletableFuture::join).toList();
        });
    }

    private static <T> T printingTo(OutputStream out, OutputStream err, Supplier<T> action) {
        PrintStream realOut = System.out;
        PrintStream realErr = System.err;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            return action.get();
        } finally {
            System.setOut(realOut);
            System.setErr(realErr);
        }
    }

    /** Keeps apart what each thread prints. */
    private static final class OwnOutput extends OutputStream {

        private final ThreadLocal<ByteArrayOutputStream> printed = ThreadLocal.withInitial(ByteArrayOutputStream::new);

        String printed() {
            return printed.get().toString(StandardCharsets.UTF_8);
        }

        @Override
        public void write(int octet) {
            printed.get().write(octet);
        }

        @Override
        public void write(byte[] octets, int from, int length) {
            printed.get().write(octets, from, length);
        }
    }
}
