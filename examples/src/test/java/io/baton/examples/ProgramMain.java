package io.baton.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/** Runs a program in a {@link ProgramProcess}. */
public final class ProgramMain {

    private static final CompletableFuture<Void> told = new CompletableFuture<>();

    private ProgramMain() {}

    /**
     * Runs the program, and ends, at once, with its standard input: whoever started this process may be killed. The
     * arguments are the name of its class, and its own.
     */
    public static void main(String[] args) throws Exception {
        var orphaned = new Thread(ProgramMain::followInput, "orphaned");
        orphaned.setDaemon(true);
        orphaned.start();
        Method main = Class.forName(args[0]).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        main.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    }

    private static void followInput() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            while (lines.readLine() != null) {
                told.complete(null);
            }
        } catch (IOException broken) {
            // As good as its end.
        } finally {
            Runtime.getRuntime().halt(1);
        }
    }

    /** Waits until this process is told to go on, whatever interrupts that. */
    public static void awaitGoOn() {
        told.join();
    }
}
