package io.baton.examples.ledger;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.election.Leadership;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A node in a process of its own that, when it wakes after having been frozen, at once writes as the active one that it was,
 * without a look at what its term is worth. What becomes of that it says on its standard output.
 */
final class RecklessNode {

    static final String READY = "ready";
    static final String REFUSED = "refused";
    static final String STORED = "stored";

    /** How the keys of late writes begin. */
    static final String LATE = "late-";

    /** So many must be refused. */
    static final int LATE_WRITES = 50;

    private static final Duration TICK = Duration.ofMillis(10);
    private static final Duration FROZEN = Duration.ofSeconds(1);

    private final LedgerNode node;
    private final String id;
    private @Nullable Leadership last;

    private RecklessNode(LedgerNode node, String id) {
        this.node = node;
        this.id = id;
    }

    /** The arguments are the store, the ttl in milliseconds, this process's id, and the command that fences. */
    public static void main(String[] args) throws Exception {
        Duration ttl = Duration.ofMillis(Long.parseLong(args[1]));
        Coordinator baton = Coordinator.connect(
                args[0],
                LedgerNode.options(args[2])
                        .ttl(ttl)
                        .connectTimeout(Duration.ofMinutes(1))
                        .build());
        var node = new LedgerNode(baton, args[2], 0, Arrays.asList(args).subList(3, args.length));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            node.close();
            baton.close();
        }));
        System.out.println(READY);
        System.out.println(node.port());
        new RecklessNode(node, args[2]).watch();
    }

    private void watch() throws InterruptedException {
        long looked = System.nanoTime();
        while (true) {
            Thread.sleep(TICK.toMillis());
            if (last != null && System.nanoTime() - looked > FROZEN.toNanos()) {
                writeLate(last);
            }
            node.service().active().ifPresent(now -> last = now);
            looked = System.nanoTime();
        }
    }

    /** So often that it would succeed in spite of those who append meanwhile, if only they kept it from doing so. */
    private void writeLate(Leadership former) throws InterruptedException {
        int refused = 0;
        for (int attempt = 1; refused < LATE_WRITES; attempt++) {
            try {
                String key = LATE + id + "-" + former.term() + "-" + attempt;
                if (node.service().ledger().append(former, key, "late").isPresent()) {
                    System.out.println(STORED);
                    return;
                }
                refused++;
            } catch (CoordinationException noAnswer) {
                // While the session that was lost is replaced, the store may say neither.
                Thread.sleep(TICK.toMillis());
            }
        }
        System.out.println(REFUSED);
    }
}
