package io.baton.tck;

import io.baton.Coordinator;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.ElectionListener;
import io.baton.election.LeaderElection;
import io.baton.election.Leadership;
import io.baton.election.StopReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A candidate that leads until stopped, and records its events. */
final class TckLeader implements ElectionListener {

    static final String ELECTION = "tck";
    static final String LINE = "elections/" + ELECTION;

    private final List<Long> terms = new CopyOnWriteArrayList<>();
    private final List<StopReason> stops = new CopyOnWriteArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final AtomicInteger atWork;
    private final CountDownLatch busy;
    private final Candidacy candidacy;
    private volatile @Nullable Leadership last;

    private TckLeader(Coordinator coordinator, Candidate candidate, AtomicInteger atWork, CountDownLatch busy) {
        this.atWork = atWork;
        this.busy = busy;
        this.candidacy = LeaderElection.named(coordinator, ELECTION).run(candidate, this);
    }

    /** Starts a candidate; {@code atWork} counts the candidates that lead at this moment. */
    static TckLeader stand(Coordinator coordinator, String id, AtomicInteger atWork) {
        return stand(coordinator, candidate(id).build(), atWork, new CountDownLatch(0));
    }

    /** As the other method; after a stop signal, the work ends once it is no longer {@code busy}. */
    static TckLeader stand(Coordinator coordinator, Candidate candidate, AtomicInteger atWork, CountDownLatch busy) {
        return new TckLeader(coordinator, candidate, atWork, busy);
    }

    /** A candidate whose work must stop in time. */
    static Candidate.Builder candidate(String id) {
        return Candidate.builder(id)
                .address(id + ":80")
                .stopTimeout(Duration.ofSeconds(10))
                .lastResort(stuck -> {
                    throw new AssertionError("stuck");
                });
    }

    @Override
    public void onElected(Leadership leadership) throws InterruptedException {
        if (atWork.incrementAndGet() > 1) {
            faults.add("somebody else was at work in term " + leadership.term());
        }
        try {
            if (!terms.isEmpty() && leadership.term() <= terms.get(terms.size() - 1)) {
                faults.add("term " + leadership.term() + " after " + terms);
            }
            last = leadership;
            terms.add(leadership.term());
            stops.add(leadership.awaitStop());
            busy.await();
        } finally {
            atWork.decrementAndGet();
        }
    }

    Candidacy candidacy() {
        return candidacy;
    }

    /** Waits until it leads in a term later than this one. */
    Leadership awaitTermAfter(long term) {
        Chapter.soon()
                .until(() ->
                        candidacy.leadership().isPresent() && !terms.isEmpty() && terms.get(terms.size() - 1) > term);
        Leadership now = last;
        if (now == null) {
            throw new AssertionError("it leads, and its work has not begun");
        }
        return now;
    }

    List<Long> terms() {
        return terms;
    }

    List<StopReason> stops() {
        return stops;
    }

    List<String> faults() {
        return faults;
    }
}
