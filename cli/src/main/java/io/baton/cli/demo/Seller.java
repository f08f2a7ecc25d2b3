package io.baton.cli.demo;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.Item;
import io.baton.Op;
import io.baton.Records;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a worker can do. Selling is the race of every shop: read what is left, deal with the customer, write back. */
final class Seller {

    /** Dealing with the customer. */
    private static final long CUSTOMER_MILLIS = 2;
    /** How often a write is repeated that got no answer from the store. */
    private static final int ATTEMPTS = 50;

    private final Coordinator baton;
    private final Venue venue;
    private final DistributedLock lock;
    private final Records records;
    private final Consumer<Message> say;
    private @Nullable Hold hold;
    private long read;

    Seller(Coordinator baton, Venue venue, Consumer<Message> say) {
        this.baton = baton;
        this.venue = venue;
        this.lock = baton.lock(venue.lock());
        this.records = baton.records(Venue.TREE);
        this.say = say;
    }

    void run(Message command) throws InterruptedException {
        switch (command.verb()) {
            case "sell-unlocked" -> sellUnlocked(command.number(0));
            case "sell-locked" -> sellLocked();
            case "take" -> take();
            case "read" -> {
                read = left();
                say("left", read);
            }
            case "write" -> write();
            case "free" -> free();
            default -> throw new IllegalArgumentException("no such command: " + command);
        }
    }

    /** No more than {@code most}: lost updates can raise the stock again, and the demo is to end. */
    private void sellUnlocked(long most) throws InterruptedException {
        long sold = 0;
        for (long left = left(); left > 0 && sold < most; left = left()) {
            Thread.sleep(CUSTOMER_MILLIS);
            records.put(venue.stock(), bytes(left - 1));
            sold++;
        }
        say("sold", sold);
    }

    private void sellLocked() throws InterruptedException {
        long sold = 0;
        long left;
        do {
            try (Hold mine = lock.acquire()) {
                left = left();
                if (left > 0) {
                    Thread.sleep(CUSTOMER_MILLIS);
                    if (baton.transact(List.of(Guard.held(mine)), List.of(stock(left - 1)))) {
                        sold++;
                        say("sale", mine.token(), left - 1);
                    }
                }
            }
        } while (left > 0);
        say("sold", sold);
    }

    private void take() throws InterruptedException {
        hold = lock.acquire();
        say("held", hold.token());
    }

    /** Writes what follows from what was read, however long ago; whether we still hold is for the store to say. */
    private void write() throws InterruptedException {
        Hold mine = held();
        boolean applied = guarded(mine);
        say(applied ? "applied" : "refused", mine.state());
    }

    /** Repeats what the store has not answered, as just after waking; a repeated put of one value is harmless. */
    private boolean guarded(Hold mine) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return baton.transact(List.of(Guard.held(mine)), List.of(stock(read - 1)));
            } catch (CoordinationException unanswered) {
                if (attempt == ATTEMPTS) {
                    throw unanswered;
                }
                Thread.sleep(100);
            }
        }
    }

    private void free() {
        held().close();
        hold = null;
        say("freed");
    }

    private Hold held() {
        if (hold == null) {
            throw new IllegalStateException("told to use a hold without one");
        }
        return hold;
    }

    private long left() throws InterruptedException {
        return records.get(venue.stock()).map(Item::text).map(Long::parseLong).orElse(0L);
    }

    private Op stock(long left) {
        return Op.put(records.key(venue.stock()), bytes(left));
    }

    private static byte[] bytes(long left) {
        return Long.toString(left).getBytes(StandardCharsets.UTF_8);
    }

    private void say(String verb, Object... args) {
        say.accept(Message.of(verb, args));
    }
}
