package io.baton.benchmarks.scale;

import java.util.ArrayList;
import java.util.List;

/** All that a client under load has told. Any thread. */
final class LoadReport {

    static final String READY = "ready";
    static final String HELD = "held";
    static final String GRANTED = "granted";
    static final String LOST = "lost";
    static final String FAILED = "failed";
    static final String STATE = "state";
    static final String STATUS = "status";
    static final String ATTEMPT = "attempt";

    private final List<Grant> grants = new ArrayList<>();
    private final List<Attempt> attempts = new ArrayList<>();
    private boolean ready;
    private int held;
    private int failed;
    private int lostGrants;
    private int lostHolds;
    private int suspended;
    private int sessionsLost;
    private double least = 1;
    private double leastCutOff = 1;
    private long heapPeak;
    private String firstFailure = "";

    /** Understands a line. */
    synchronized void add(String line) {
        int space = line.indexOf(' ');
        String rest = line.substring(space + 1);
        switch (space < 0 ? line : line.substring(0, space)) {
            case READY -> ready = true;
            case HELD -> held++;
            case GRANTED -> grants.add(Grant.parse(rest));
            case LOST -> {
                grants.add(Grant.parse(rest));
                lostGrants++;
            }
            case FAILED -> {
                failed++;
                firstFailure = firstFailure.isEmpty() ? rest : firstFailure;
            }
            case STATE -> {
                suspended += rest.equals("SUSPENDED") ? 1 : 0;
                sessionsLost += rest.equals("LOST") ? 1 : 0;
            }
            case STATUS -> {
                String[] word = rest.split(" ", -1);
                least = Double.parseDouble(word[0]);
                leastCutOff = Double.parseDouble(word[1]);
                lostHolds = Math.max(lostHolds, Integer.parseInt(word[2]));
                heapPeak = Long.parseLong(word[3]);
            }
            case ATTEMPT -> attempts.add(Attempt.parse(rest));
            default -> throw new IllegalStateException("a client said: " + line);
        }
    }

    synchronized boolean isReady() {
        return ready;
    }

    synchronized int held() {
        return held;
    }

    synchronized List<Grant> grants() {
        return List.copyOf(grants);
    }

    synchronized int granted() {
        return grants.size();
    }

    synchronized List<Attempt> attempts() {
        return List.copyOf(attempts);
    }

    synchronized int failed() {
        return failed;
    }

    synchronized String firstFailure() {
        return firstFailure;
    }

    /** Holds that were lost before they were released. */
    synchronized int lost() {
        return lostGrants + lostHolds;
    }

    synchronized int suspended() {
        return suspended;
    }

    synchronized int sessionsLost() {
        return sessionsLost;
    }

    /** The least share of the session's time to live for which a hold was certain. */
    synchronized double least() {
        return least;
    }

    /** The same of holds in jeopardy just after the client was cut off; 1 if there were none. */
    synchronized double leastCutOff() {
        return leastCutOff;
    }

    /** In bytes. */
    synchronized long heapPeak() {
        return heapPeak;
    }
}
