package io.baton.cli.run;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import io.baton.cli.Text;
import java.util.OptionalInt;

/**
 * How it ended.
 *
 * @param verdict what happened, in a word for scripts
 * @param status baton's exit status; empty if it has none, since it was killed
 * @param command the command's own exit status; empty if it did not run, or if its status is not known
 * @param token the fencing token under which it ran; empty if it did not
 * @param message what baton has to say; empty if nothing
 */
public record Ending(String verdict, OptionalInt status, OptionalInt command, String token, String message) {

    /** The command ran, and ended by itself. */
    static Ending commandEnded(int status, String token) {
        return new Ending("command-ended", OptionalInt.of(status), OptionalInt.of(status), token, "");
    }

    /** The command was ended, since what it ran under did not last. */
    static Ending lost(int command, String token, String message) {
        return new Ending("lost", OptionalInt.of(Exit.LOST), OptionalInt.of(command), token, message);
    }

    /** The command was ended, since somebody else is to follow. */
    static Ending handedOver(int command, String token, String message) {
        return new Ending("handed-over", OptionalInt.of(Exit.LOST), OptionalInt.of(command), token, message);
    }

    /** Whether there was a command to run, or it ran, and what it ran under did not last. */
    public boolean mandateEnded() {
        return status.equals(OptionalInt.of(Exit.LOST)) && !verdict.equals("command-ended");
    }

    /** Tells the user, if there is something to say. */
    public void print() {
        if (!message.isEmpty()) {
            Report.line(message);
        }
    }

    /** A signal has ended the waiting. */
    static Ending signalled(int status) {
        return new Ending("signalled", OptionalInt.of(status), OptionalInt.empty(), "", "");
    }

    /** Baton has been killed. */
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

    /** As a status file has it: always the same lines, empty where there is nothing to say. */
    String lines() {
        return "verdict=" + verdict + "\nstatus=" + number(status) + "\ncommand=" + number(command) + "\ntoken=" + token
                + "\nmessage=" + Text.line(message) + "\n";
    }

    private static String number(OptionalInt status) {
        return status.isPresent() ? Integer.toString(status.getAsInt()) : "";
    }
}
