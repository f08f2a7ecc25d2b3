package io.baton.cli.demo;

import io.baton.Coordinator;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.LeaderElection;
import io.baton.election.Leadership;
import io.baton.election.StopReason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a worker as a candidate. It sells while it leads. After a stop signal it finishes the present sale.
 */
final class Cashier {

    private final LeaderElection election;
    private final StockRecord till;
    private final Candidate candidate;
    private final Consumer<Message> say;
    private final LinkedBlockingQueue<Turn> turns = new LinkedBlockingQueue<>();
    private @Nullable Candidacy candidacy;
    private @Nullable Turn turn;
    private long read;

    Cashier(Coordinator baton, DemoRun demoRun, String name, Consumer<Message> say) {
        this.election = LeaderElection.named(baton, demoRun.election());
        this.till = new StockRecord(baton, demoRun);
        this.candidate = Candidate.of(name);
        this.say = say;
    }

    /** Runs a command; returns false if it is none of these. */
    boolean run(Message command) throws InterruptedException {
        switch (command.verb()) {
            case "stand" -> {
                candidacy = election.runAsync(candidate, this::elected);
                send("standing");
            }
            case "lead" -> {
                Turn next = turns.take();
                turn = next;
                send("leads", next.leadership.term());
            }
            case "count" -> {
                current().begin();
                read = till.left();
                send("left", read);
            }
            case "sell" -> sell();
            case "resign" -> {
                current().leadership.resign().join();
                send("resigned");
            }
            case "leave" -> {
                if (candidacy != null) {
                    candidacy.close();
                }
                send("left");
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private CompletionStage<Void> elected(Leadership leadership) {
        Turn begun = new Turn(leadership);
        leadership.onStop(why -> begun.onStop());
        turns.add(begun);
        return begun.stopped;
    }

    /** Writes the result of a read, however long ago; the store decides whether this worker still leads. */
    private void sell() throws InterruptedException {
        Turn mine = current();
        boolean applied = till.set(read - 1, mine.leadership.guard());
        String told = mine.leadership.stopReason().map(StopReason::name).orElse("-");
        mine.end();
        send(applied ? "applied" : "refused", told);
    }

    private Turn current() {
        if (turn == null) {
            throw new IllegalStateException("told to sell without leading");
        }
        return turn;
    }

    private void send(String verb, Object... args) {
        say.accept(Message.of(verb, args));
    }

    /** A term, and whether a sale is under way in it. */
    private static final class Turn {

        private final Leadership leadership;
        private final CompletableFuture<Void> stopped = new CompletableFuture<>();
        private boolean selling;
        private boolean told;

        Turn(Leadership leadership) {
            this.leadership = leadership;
        }

        synchronized void begin() {
            selling = true;
        }

        synchronized void end() {
            selling = false;
            stopIfDone();
        }

        synchronized void onStop() {
            told = true;
            stopIfDone();
        }

        private void stopIfDone() {
            if (told && !selling) {
                stopped.complete(null);
            }
        }
    }
}
