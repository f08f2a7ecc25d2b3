package io.baton.benchmarks.failover;

import io.baton.chaos.candidate.CandidateMain;
import io.baton.chaos.election.CandidateSlot;
import io.baton.chaos.election.Electorate;
import io.baton.chaos.history.Event;
import io.baton.chaos.history.EventKind;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Candidates in Java processes. */
final class ProcessParty implements Party {

    /** Who was not deposed by then is not. */
    private static final Duration KEPT = Duration.ofSeconds(15);

    private final String name;
    private final Set<FailoverCase> cases;
    private final Electorate electorate;

    ProcessParty(String name, Set<FailoverCase> cases, Electorate electorate) {
        this.name = name;
        this.cases = cases;
        this.electorate = electorate;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean has(FailoverCase what) {
        return cases.contains(what);
    }

    @Override
    public void awaitLeader() throws InterruptedException {
        electorate.leader();
    }

    @Override
    public Trial begin(FailoverCase what) throws InterruptedException {
        Event leader = electorate.leader();
        CandidateSlot post = electorate.post(leader);
        long from = System.nanoTime();
        switch (what) {
            case KILLED -> post.kill();
            case FROZEN -> post.freeze();
            case CUT_OFF -> post.cutOff();
            case RESIGNED -> {
                post.tell(CandidateMain.RESIGN + " " + leader.who());
                from = told(EventKind.RESIGNING, leader);
            }
            case HANDED_OVER -> {
                post.tell(CandidateMain.HAND_OVER + " " + leader.who() + " " + another(leader));
                from = told(EventKind.HANDING_OVER, leader);
            }
            case SERVER_LOST -> {
                // Whoever plays the case sees to that.
            }
        }
        return new Under(what, leader, post, from);
    }

    @Override
    public void close() {
        electorate.close();
    }

    /** When the leader was about to do so, by its own word. */
    private long told(EventKind what, Event leader) throws InterruptedException {
        return electorate
                .expect(
                        leader.who() + " to obey",
                        event -> event.what() == what
                                && event.who().equals(leader.who())
                                && event.nanos() > leader.nanos())
                .nanos();
    }

    private String another(Event leader) {
        return electorate.posts().stream()
                .map(post -> post.name() + ".1")
                .filter(id -> !id.equals(leader.who()))
                .findFirst()
                .orElseThrow();
    }

    private final class Under implements Trial {

        private final FailoverCase what;
        private final Event leader;
        private final CandidateSlot post;
        private final long from;
        private long since;

        Under(FailoverCase what, Event leader, CandidateSlot post, long from) {
            this.what = what;
            this.leader = leader;
            this.post = post;
            this.from = from;
            this.since = from;
        }

        @Override
        public void done() {
            since = System.nanoTime();
        }

        @Override
        public Measured await() throws InterruptedException {
            if (what == FailoverCase.SERVER_LOST) {
                return awaitCertainty();
            }
            Event next = electorate.expectAfter(leader);
            return new Measured(next.nanos() - from, false);
        }

        /** Somebody begins to lead; or a write that was sent since then, by one who had not been told to stop, is applied. */
        private Measured awaitCertainty() throws InterruptedException {
            Set<String> stopped = new HashSet<>();
            Set<String> sent = new HashSet<>();
            Optional<Event> first = electorate.chronicle().await(event -> certain(event, stopped, sent), KEPT);
            return first.map(event -> new Measured(event.nanos() - from, event.what() == EventKind.APPLIED))
                    .orElseGet(() -> new Measured(0, true));
        }

        private boolean certain(Event event, Set<String> stopped, Set<String> sent) {
            switch (event.what()) {
                case STOPPED -> stopped.add(event.text("term"));
                case ATTEMPTED -> {
                    if (event.nanos() > since && !stopped.contains(event.text("term"))) {
                        sent.add(event.text("write"));
                    }
                }
                case ELECTED -> {
                    return event.nanos() > from;
                }
                case APPLIED -> {
                    return sent.contains(event.text("write"));
                }
                default -> {
                    return false;
                }
            }
            return false;
        }

        @Override
        public void restore() throws InterruptedException {
            switch (what) {
                case KILLED -> post.start();
                case FROZEN -> post.wake();
                case CUT_OFF -> post.mend();
                default -> {
                    // Nothing was broken.
                }
            }
        }
    }
}
