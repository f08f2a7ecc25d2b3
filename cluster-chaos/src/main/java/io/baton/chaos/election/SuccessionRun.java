package io.baton.chaos.election;

import io.baton.chaos.candidate.CandidateMain;
import io.baton.chaos.history.Event;
import io.baton.chaos.history.EventKind;
import java.util.ArrayList;
import java.util.List;

/** Has one leader follow the other, by force, and remembers how it went. */
final class SuccessionRun {

    private final Electorate electorate;
    private final Site site;
    private final String election;
    private final List<Succession> successions = new ArrayList<>();

    SuccessionRun(Electorate electorate, Site site, String election) {
        this.electorate = electorate;
        this.site = site;
        this.election = election;
    }

    List<Succession> successions() {
        return List.copyOf(successions);
    }

    /** Ends the present term; the next one has begun, and the network and the processes are as they were, when this returns. */
    Succession end(Cause deed) throws Exception {
        Event leader = electorate.leader();
        CandidateSlot post = electorate.post(leader);
        long from = System.nanoTime();
        commit(deed, leader, post);
        Event next = electorate.expectAfter(leader);
        long over = next.nanos();
        if (deed.endsContact()) {
            undo(deed, leader, post);
            over = System.nanoTime();
        }
        Succession succession = new Succession(deed, from, leader, next, over);
        successions.add(succession);
        return succession;
    }

    private void commit(Cause deed, Event leader, CandidateSlot post) throws Exception {
        switch (deed) {
            case RESIGNED -> post.tell(CandidateMain.RESIGN + " " + leader.who());
            case REMOVED -> site.removeFirst(election);
            case KILLED -> post.kill();
            case CUT_OFF -> post.cutOff();
            case FROZEN -> post.freeze();
        }
    }

    private void undo(Cause deed, Event leader, CandidateSlot post) throws InterruptedException {
        switch (deed) {
            case KILLED -> {
                post.start();
                electorate.awaitThere(post);
            }
            case CUT_OFF -> {
                post.mend();
                awaitStopped(leader);
            }
            case FROZEN -> {
                post.wake();
                awaitStopped(leader);
            }
            default -> throw new IllegalArgumentException("nothing to undo of " + deed);
        }
    }

    private void awaitStopped(Event leader) throws InterruptedException {
        electorate.expect(
                leader.who() + " to stop",
                event -> event.what() == EventKind.STOPPED
                        && event.who().equals(leader.who())
                        && event.text("term").equals(leader.text("term")));
    }
}
