package io.baton.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Contenders that join, sometimes leave while they wait, and leave soon after they are clear. At most one may be clear
 * at a time, and tokens rise from one to the next. {@link TckClient#breach} records a violation.
 */
final class Churn {

    private final List<TckClient> clients;
    private final String line;
    private final Random random = new Random(20);
    private final List<TckContender> contenders = new ArrayList<>();
    private final AtomicInteger clear = new AtomicInteger();
    private final AtomicInteger grants = new AtomicInteger();
    private final AtomicLong lastToken = new AtomicLong(Long.MIN_VALUE);

    Churn(List<TckClient> clients, String line) {
        this.clients = clients;
        this.line = line;
    }

    /** Lets this many more join; about a third of them leave while they wait. */
    void join(int joins) {
        for (int i = 0; i < joins; i++) {
            TckClient client = clients.get(random.nextInt(clients.size()));
            contenders.add(client.onLoop(() -> client.joinNow(line, this::granted)));
            if (random.nextInt(3) == 0) {
                TckContender tired = contenders.get(contenders.size() - 1 - random.nextInt(Math.min(8, i + 1)));
                tired.client().run(() -> giveUp(tired));
            }
        }
    }

    /** Waits until all have left. */
    void awaitEnd() {
        Chapter.soon()
                .until(() -> contenders.stream()
                        .allMatch(contender -> contender.client().onLoop(contender::isOver)));
    }

    int grants() {
        return grants.get();
    }

    private static void giveUp(TckContender contender) {
        if (!contender.isClear() && !contender.isOver()) {
            contender.leaveNow();
        }
    }

    private void granted(TckContender contender) {
        TckClient client = contender.client();
        long token = contender.token();
        if (clear.incrementAndGet() != 1) {
            client.breach("two were clear at once");
        }
        if (lastToken.getAndSet(token) >= token) {
            client.breach("token " + token + " came after a higher one");
        }
        grants.incrementAndGet();
        client.later(Duration.ofNanos(200_000), () -> {
            clear.decrementAndGet();
            contender.leaveNow();
        });
    }
}
