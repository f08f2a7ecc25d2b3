package io.baton.chaos.candidate;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.chaos.history.EventKind;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.LeaderElection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** All who stand in one process, with one session. */
final class Candidates {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Coordinator baton;
    private final Printed notes;
    private final Map<String, Candidacy> standing = new LinkedHashMap<>();

    private Candidates(Coordinator baton, Printed notes) {
        this.baton = baton;
        this.notes = notes;
    }

    static Candidates stand(CandidateArguments arguments, Printed notes) throws InterruptedException {
        Witness witness = new Witness(arguments.name(), notes);
        CoordinatorOptions.Builder options = CoordinatorOptions.builder()
                .ttl(arguments.ttl())
                .client(arguments.name())
                .connectTimeout(PATIENCE);
        if (arguments.observes()) {
            options.telemetry(witness);
        }
        Coordinator baton = Coordinator.connect(arguments.uri(), options.build());
        LeaderElection election = LeaderElection.named(baton, arguments.election());
        Candidates all = new Candidates(baton, notes);
        if (arguments.observes()) {
            election.observe().onChange(witness::saw);
        }
        for (int number = 1; number <= arguments.candidates(); number++) {
            all.add(election, arguments, number);
        }
        notes.note(arguments.name(), EventKind.CONNECTED);
        return all;
    }

    private void add(LeaderElection election, CandidateArguments arguments, int number) {
        String id = arguments.candidate(number);
        Candidate candidate = Candidate.builder(id)
                .whenSuspended(arguments.whenSuspended())
                .stopTimeout(arguments.stopTimeout())
                .build();
        standing.put(id, election.run(candidate, new LeaderJob(id, baton, notes, arguments.writes())));
    }

    void resign(String id) {
        Candidacy candidacy = candidacy(id);
        notes.note(id, EventKind.RESIGNING);
        candidacy.resign();
    }

    void handOver(String id, String to) {
        Candidacy candidacy = candidacy(id);
        notes.note(id, EventKind.HANDING_OVER, "to", to);
        candidacy.handOverAsync(to, PATIENCE).whenComplete((done, why) -> {
            if (why != null) {
                notes.note(id, EventKind.TROUBLE, "why", why);
            }
        });
    }

    /** Ends this JVM, too. */
    void end() {
        baton.close();
        System.exit(0);
    }

    private Candidacy candidacy(String id) {
        Candidacy candidacy = standing.get(id);
        if (candidacy == null) {
            throw new IllegalArgumentException("no such candidate: " + id);
        }
        return candidacy;
    }
}
