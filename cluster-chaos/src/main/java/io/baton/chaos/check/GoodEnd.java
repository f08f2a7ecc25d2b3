package io.baton.chaos.check;

import java.util.function.Consumer;

/** When all is over, nobody waits, no entry stands in line, everybody whose hold was lost has been told, and nothing broke. */
final class GoodEnd implements Check {

    GoodEnd() {}

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        waiting(history, found);
        entries(history, found);
        losses(history, found);
        history.troubles()
                .forEach(event ->
                        found.accept(new Violation(Kind.TROUBLE, "", event.nanos(), event.nanos(), event.line())));
    }

    private static void waiting(RunHistory history, Consumer<Violation> found) {
        history.waiting()
                .forEach(ask -> found.accept(new Violation(
                        Kind.WAITS_FOREVER,
                        ask.lock(),
                        ask.at(),
                        ask.at(),
                        ask.who() + " asked for " + ask.lock() + " and never had an answer")));
    }

    private static void entries(RunHistory history, Consumer<Violation> found) {
        history.left().stream()
                .filter(left -> left.entries() > 0)
                .forEach(left -> found.accept(new Violation(
                        Kind.LEFT_ENTRY,
                        left.lock(),
                        left.at(),
                        left.at(),
                        left.entries() + " entries stand in the line of " + left.lock() + ", and nobody is there")));
    }

    /** A loss that its holder saw, and waited to be told of until it released. */
    private static void losses(RunHistory history, Consumer<Violation> found) {
        history.holdings().stream()
                .filter(holding -> holding.lost() && !holding.told() && holding.released())
                .forEach(holding -> found.accept(new Violation(
                        Kind.SILENT_LOSS,
                        holding.lock(),
                        holding.sawLost(),
                        holding.releasing(),
                        holding + " was lost, and its listener was not told")));
    }
}
