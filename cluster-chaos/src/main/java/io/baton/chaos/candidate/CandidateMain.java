package io.baton.chaos.candidate;

import io.baton.chaos.client.ClientMain;

/** What runs in a process of candidates; the arguments are those of {@link CandidateArguments}. */
public final class CandidateMain {

    /** Resigns: {@code resign ID}. */
    public static final String RESIGN = "resign";

    /** Hands over: {@code hand-over ID TO}. */
    public static final String HAND_OVER = "hand-over";

    private CandidateMain() {}

    /** Stands until told to stop; ends at once if its input ends, since whoever started it has gone. */
    public static void main(String[] words) throws InterruptedException {
        Printed notes = new Printed();
        Candidates all = Candidates.stand(CandidateArguments.of(words), notes);
        Orders.obey(order -> {
            switch (order.get(0)) {
                case RESIGN -> all.resign(order.get(1));
                case HAND_OVER -> all.handOver(order.get(1), order.get(2));
                case ClientMain.STOP -> all.end();
                default -> throw new IllegalArgumentException("not an order: " + order);
            }
        });
    }
}
