package io.baton.tck.sim.recipes;

import io.baton.recipe.Futures;
import io.baton.testkit.sim.SimLoop;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;

/**
 * A call that waits, by a thread of a simulated process. It has a real thread. That runs only while the simulation
 * waits for it, and waits while the simulation goes on: so a seed still decides everything.
 */
final class BlockingCall<T> {

    private static final ThreadLocal<BlockingCall<?>> PRESENT = new ThreadLocal<>();

    /** The simulation is over, and with it the call. */
    private static final class Abandoned extends Error {

        private static final long serialVersionUID = 1;
    }

    private final SimLoop on;
    private final Semaphore turn = new Semaphore(0);
    private final Semaphore simulation = new Semaphore(0);
    private final CompletableFuture<T> decided = new CompletableFuture<>();
    private final CompletableFuture<T> outcome = new CompletableFuture<>();
    private boolean interrupted;
    private boolean abandoned;

    private BlockingCall(SimLoop on) {
        this.on = on;
    }

    /** Begins the call, and returns once it waits or is over. It goes on as a task of this loop. */
    static <T> BlockingCall<T> start(SimLoop on, Callable<T> body) {
        var call = new BlockingCall<T>(on);
        var thread = new Thread(() -> call.run(body), "blocking call");
        thread.setDaemon(true);
        thread.start();
        call.proceed();
        return call;
    }

    private void run(Callable<T> body) {
        turn.acquireUninterruptibly();
        PRESENT.set(this);
        try {
            decided.complete(body.call());
        } catch (Throwable thrown) {
            decided.completeExceptionally(thrown);
        } finally {
            simulation.release();
        }
    }

    /** Lets the call go on until it waits, or is over. */
    private void proceed() {
        if (outcome.isDone()) {
            return;
        }
        turn.release();
        simulation.acquireUninterruptibly();
        if (decided.isDone() && !abandoned) {
            Futures.passOn(decided, outcome);
        }
    }

    /** Waits for the future, in the thread of a call. An interrupt ends the wait. */
    static <T> T await(CompletableFuture<T> future) throws InterruptedException {
        BlockingCall<?> call = PRESENT.get();
        Futures.onDone(future, (value, failure) -> call.on.execute(call::proceed));
        while (!future.isDone() && !call.interrupted) {
            call.handBack();
        }
        if (call.interrupted) {
            call.interrupted = false;
            throw new InterruptedException();
        }
        try {
            return future.join();
        } catch (CompletionException failed) {
            throw Futures.rethrowable(failed);
        }
    }

    private void handBack() {
        simulation.release();
        turn.acquireUninterruptibly();
        if (abandoned) {
            throw new Abandoned();
        }
    }

    /** What came of it; completes in the step in which the call is over. */
    CompletableFuture<T> outcome() {
        return outcome;
    }

    /** Interrupts the thread, which then goes on as a task of its loop. */
    void interrupt() {
        interrupted = true;
        on.execute(this::proceed);
    }

    /** Ends the thread, whatever it waits for: nothing goes on any more. */
    void abandon() {
        abandoned = true;
        proceed();
    }
}
