package io.baton.cli.run;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import io.baton.cli.Text;
import java.util.OptionalInt;

/**
 * How a run of a command ended, or that it has begun.
 *
 * @param verdict what happened, in a word for scripts
 * @param status baton's exit status; empty if it was killed, or has not ended
 * @param command the command's own exit status; empty if it did not run, or if its status is not known
 * @param token the fencing token under which it ran; empty if it did not
 * @param message baton's message; empty if there is none
 */
public record Ending(String verdict, OptionalInt status, OptionalInt command, String token, String message) {

    /** The run has begun, and has not ended. */
    static Ending started() {
        return new Ending("started", OptionalInt.empty(), OptionalInt.empty(), "", "");
    }

    /** The command ran and ended by itself. */
    static Ending commandEnded(int status, String token) {
        return new Ending("command-ended", OptionalInt.of(status), OptionalInt.of(status), token, "");
    }

    /** The command was ended because its mandate did not last. */
    static Ending lost(int command, String token, String message) {
        return new Ending("lost", OptionalInt.of(Exit.LOST), OptionalInt.of(command), token, message);
    }

    /** The mandate did not last, and something of the command could not be ended. */
    static Ending mayRunOn(String token, String message) {
        return new Ending("lost", OptionalInt.of(Exit.LOST), OptionalInt.empty(), token, message);
    }

    /** The command was ended for a hand-over. */
    static Ending handedOver(int command, String token, String message) {
        return new Ending("handed-over", OptionalInt.of(Exit.LOST), OptionalInt.of(command), token, message);
    }

    /** Whether the mandate did not last, and the command does not run any more. */
    public boolean mandateEnded() {
        boolean runs = command.isEmpty() && !token.isEmpty();
        return status.equals(OptionalInt.of(Exit.LOST)) && !verdict.equals("command-ended") && !runs;
    }

    /** Prints the message, if there is one. */
    void print() {
        if (!message.isEmpty()) {
            Report.line(message);
        }
    }

    /** A signal ended the wait. */
    static Ending signalled(int status) {
        return new Ending("signalled", OptionalInt.of(status), OptionalInt.empty(), "", "");
    }

    /** Baton was killed. */
    static Ending batonDied(String token, OptionalInt command) {
        return new Ending("baton-died", OptionalInt.empty(), command, token, "baton itself was killed");
    }

    /** The command did not run, or it was ended for this reason. */
    static Ending failed(Failure failure) {
        String verdict = switch (failure.status()) {
            case Exit.USAGE -> "usage";
            case Exit.UNAVAILABLE -> "unreachable";
            case Exit.CANNOT_GUARD -> "unguarded";
            case Exit.NOT_ACQUIRED -> "not-acquired";
            case Exit.LOST -> "lost";
            case Exit.CANNOT_START -> "cannot-start";
            case Exit.NOT_FOUND -> "not-found";
            default -> "defect";
        };
        return new Ending(verdict, OptionalInt.of(failure.status()), OptionalInt.empty(), "", Failure.text(failure));
    }

    /** The content of a status file: always the same lines, with empty values where there is nothing to report. */
    String lines() {
        return "verdict=" + verdict + "\nstatus=" + number(status) + "\ncommand=" + number(command) + "\ntoken=" + token
                + "\nmessage=" + Text.line(message) + "\n";
    }

    private static String number(OptionalInt status) {
        return status.isPresent() ? Integer.toString(status.getAsInt()) : "";
    }
}
