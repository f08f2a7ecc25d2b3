package io.baton.examples;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.DistributedReadWriteLock;
import io.baton.DistributedSemaphore;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.MultiHold;
import io.baton.Op;
import io.baton.PermitHold;
import io.baton.QueueEntry;
import io.baton.Records;
import io.baton.Released;
import io.baton.WriteHold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Readers and writers, permits, several locks at once, and holders that are asked to release. */
final class PriceList {

    private PriceList() {}

    // tag::readWrite[]
    /** Writes new prices, then announces them while they cannot change, beside others that read. */
    static void publish(Coordinator baton, String prices, Consumer<String> announce) throws InterruptedException {
        DistributedReadWriteLock lock = baton.readWriteLock("prices");
        Records records = baton.records("prices");
        WriteHold writer = lock.write().acquire(); // nobody reads or writes meanwhile
        try (writer) {
            if (!baton.transact(List.of(Guard.held(writer)), List.of(Op.put(records.key("list"), prices)))) {
                return; // the lock has passed on
            }
            try (Hold reader = writer.downgrade()) { // readers come in, and no other writer before this ends
                reader.ensureValid(Duration.ofSeconds(1));
                announce.accept(prices);
            }
        }
    }
    // end::readWrite[]

    // tag::permits[]
    /** Uploads with at most five uploads at a time, whatever the number of processes. */
    static void upload(Coordinator baton, Runnable upload) throws InterruptedException {
        DistributedSemaphore uploads = baton.semaphore("uploads", 5);
        try (PermitHold permit = uploads.acquire()) { // acquire(2) for a large one: it is not overtaken by small ones
            permit.ensureValid(Duration.ofSeconds(1));
            upload.run();
        }
    }
    // end::permits[]

    // tag::several[]
    /** Moves money between two accounts: both are locked, or none is, in whatever order they are named. */
    static boolean transfer(Coordinator baton, String from, String to, List<Op> booking) throws InterruptedException {
        try (MultiHold both = baton.multiLock(List.of(from, to)).acquire()) {
            return baton.transact(both.guards(), booking); // refused if one of them has passed on
        }
    }
    // end::several[]

    // tag::giveWay[]
    /** Works in steps under the lock, and gives way between two steps when somebody asks for it. */
    static int workInSteps(Coordinator baton, List<Runnable> steps) throws InterruptedException {
        List<String> asked = new ArrayList<>();
        int done = 0;
        try (Hold hold = baton.lock("reindex").acquire()) {
            hold.onReleaseRequested(request -> {
                synchronized (asked) {
                    asked.add(request.reason());
                }
            });
            for (Runnable step : steps) {
                synchronized (asked) {
                    if (!asked.isEmpty()) {
                        break;
                    }
                }
                step.run();
                done++;
            }
        }
        return done;
    }

    /** Asks the holder to release, and takes the lock away from it, and from no other, if it does not answer. */
    static boolean takeOver(DistributedLock lock, Duration patience) throws InterruptedException, ExecutionException {
        Optional<QueueEntry> holder = lock.queue().stream().findFirst(); // looked up before it is asked
        Released answer =
                lock.requestRelease("the nightly run is due", patience).get();
        if (answer.outcome() != Released.Outcome.UNANSWERED) {
            return answer.outcome() != Released.Outcome.REFUSED;
        }
        // This entry alone. The first one of the queue by now may be the next holder, which has not been asked.
        return holder.isPresent() && lock.evict(holder.get(), "no answer for " + patience);
    }
    // end::giveWay[]
}
