package io.baton.cli.demo;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Guard;
import io.baton.Hold;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The commands of a worker that sells. Each sale is a race: read the stock, serve the customer, write back. */
final class Seller {

    /** The time to serve a customer. */
    private static final long CUSTOMER_MILLIS = 2;

    private final DistributedLock lock;
    private final StockRecord till;
    private final Consumer<Message> say;
    private @Nullable Hold hold;
    private long read;

    Seller(Coordinator baton, DemoRun demoRun, Consumer<Message> say) {
        this.lock = baton.lock(demoRun.lock());
        this.till = new StockRecord(baton, demoRun);
        this.say = say;
    }

    void run(Message command) throws InterruptedException {
        switch (command.verb()) {
            case "sell-unlocked" -> sellUnlocked(command.number(0));
            case "sell-locked" -> sellLocked();
            case "take" -> take();
            case "read" -> {
                read = till.left();
                send("left", read);
            }
            case "write" -> write();
            case "free" -> free();
            default -> throw new IllegalArgumentException("no such command: " + command);
        }
    }

    /** Sells at most {@code most} tickets. Lost updates can raise the stock again, and the demo must end. */
    private void sellUnlocked(long most) throws InterruptedException {
        long sold = 0;
        for (long left = till.left(); left > 0 && sold < most; left = till.left()) {
            Thread.sleep(CUSTOMER_MILLIS);
            till.set(left - 1);
            sold++;
        }
        send("sold", sold);
    }

    private void sellLocked() throws InterruptedException {
        long sold = 0;
        long left;
        do {
            try (Hold mine = lock.acquire()) {
                left = till.left();
                if (left > 0) {
                    Thread.sleep(CUSTOMER_MILLIS);
                    if (till.set(left - 1, Guard.held(mine))) {
                        sold++;
                        send("sale", mine.token(), left - 1);
                    }
                }
            }
        } while (left > 0);
        send("sold", sold);
    }

    private void take() throws InterruptedException {
        hold = lock.acquire();
        send("held", hold.token());
    }

    /** Writes the result of a read, however long ago; the store decides whether this worker still holds. */
    private void write() throws InterruptedException {
        Hold mine = held();
        boolean applied = till.set(read - 1, Guard.held(mine));
        send(applied ? "applied" : "refused", mine.state());
    }

    private void free() {
        held().close();
        hold = null;
        send("freed");
    }

    private Hold held() {
        if (hold == null) {
            throw new IllegalStateException("told to use a hold without one");
        }
        return hold;
    }

    private void send(String verb, Object... args) {
        say.accept(Message.of(verb, args));
    }
}
