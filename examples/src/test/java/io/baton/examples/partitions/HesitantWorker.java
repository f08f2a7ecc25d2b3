package io.baton.examples.partitions;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.examples.ProgramMain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A worker that hesitates over orders that ask it to, until it is told to go on. Then it writes at once, without a look at
 * its hold, and says what became of that on its standard output.
 */
final class HesitantWorker {

    static final String HESITATES = "hesitates ";
    static final String REFUSED = "refused ";
    static final String STORED = "stored ";

    private HesitantWorker() {}

    /** The arguments are the store, the name of this process, the directory of the orders, and the ttl in milliseconds. */
    public static void main(String[] args) throws InterruptedException {
        var options = CoordinatorOptions.builder()
                .client(args[1])
                .ttl(Duration.ofMillis(Long.parseLong(args[3])))
                .connectTimeout(Duration.ofMinutes(1));
        Coordinator baton = Coordinator.connect(args[0], options.build());
        var self = new CompletableFuture<PartitionWorker>();
        self.complete(new PartitionWorker(baton, args[1], new OrderFiles(Path.of(args[2])), (order, hold) -> {
            if (order.text().endsWith(HESITATES + args[1])) {
                System.out.println(HESITATES + order.partition());
                ProgramMain.awaitGoOn();
                String became = writesLate(self.join(), order, hold) ? STORED : REFUSED;
                System.out.println(became + order.partition());
            }
            return order.text();
        }));
        Thread.currentThread().join();
    }

    /** On another thread, as this one is interrupted for a partition that has moved. */
    private static boolean writesLate(PartitionWorker worker, PartitionOrder order, Hold hold) {
        return CompletableFuture.supplyAsync(() -> {
                    while (true) {
                        try {
                            return worker.write(order, "late", hold);
                        } catch (CoordinationException noAnswer) {
                            // While the session that was lost is replaced, the store may say neither.
                            Thread.onSpinWait();
                        } catch (InterruptedException never) {
                            throw new IllegalStateException(never);
                        }
                    }
                })
                .join();
    }
}
