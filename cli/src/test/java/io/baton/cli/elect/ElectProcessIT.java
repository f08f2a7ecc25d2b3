package io.baton.cli.elect;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.cli.BatonProcess;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.LeaderElection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is the same whatever the store. */
class ElectProcessIT extends ElectTests {

    @Test
    void elect_commandEnds_exitStatusAndStreamsAreItsOwn() throws Exception {
        String work = "echo \"$BATON_NAME $BATON_FENCING_TOKEN\"; echo oops >&2; exit 7";
        try (BatonProcess baton = fixture.elect("own", "--", "sh", "-c", work)) {
            assertThat(baton.status()).isEqualTo(7);
            assertThat(baton.out()).matches("own \\d+\n");
            assertThat(baton.err()).isEqualTo("oops\n");
        }
    }

    @Test
    void elect_batonFrozen_theCommandEndsBeforeTheNextLeadsAndTheLossIsTold() throws Exception {
        try (BatonProcess baton = fixture.elect("--ttl", "3s", "frozen", "--", "sh", "-c", STUBBORN);
                Coordinator other = Coordinator.connect(fixture.uri())) {
            term(1);
            baton.signal("STOP");
            assertThat(nextLeader(other, "frozen")).as("commands").isEmpty();
            baton.signal("CONT");
            assertThat(baton.status()).isEqualTo(79);
            assertThat(baton.err()).startsWith("baton: 'frozen' was lost").hasLineCount(1);
        }
    }

    @Test
    @Tag("long")
    void elect_againAfterALoss_standsAndRunsTheCommandAnewUntilASignal() throws Exception {
        try (BatonProcess baton = fixture.elect("--again", "--ttl", "3s", "again", "--", "sh", "-c", POLITE);
                Coordinator other = Coordinator.connect(fixture.uri())) {
            long term = term(1);
            baton.signal("STOP");
            assertThat(nextLeader(other, "again")).as("commands").isEmpty();
            baton.signal("CONT");
            // Asked by the watchdog first, as it was frozen itself.
            assertThat(term(3)).isGreaterThan(nextTerm);
            assertThat(nextTerm).isGreaterThan(term);
            baton.signal("TERM");
            assertThat(baton.status()).isEqualTo(3);
            assertThat(fixture.logged()).hasSize(4).endsWith("term");
            // A process that is late to run may first find itself without contact.
            List<String> said = said(baton).stream()
                    .filter(line -> !line.startsWith("baton: no contact"))
                    .toList();
            assertThat(said).hasSize(2);
            assertThat(said.get(0)).startsWith("baton: 'again' was lost");
            assertThat(said.get(1)).isEqualTo("baton: standing again in 'again'");
        }
    }

    @Test
    @Tag("long")
    void elect_sigtermWhileTheCommandRuns_reachesItAndTheNextLeads() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                BatonProcess baton = fixture.elect("--ttl", "1m", "told", "--", "sh", "-c", POLITE)) {
            term(1);
            baton.signal("TERM");
            assertThat(nextLeader(other, "told")).as("commands").isEmpty();
            assertThat(baton.status()).isEqualTo(3);
            assertThat(said(baton)).isEmpty();
        }
    }

    @Test
    @Tag("long")
    void elect_sigtermWhileStanding_leavesTheLine() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                Candidacy leader = leading(other, "leave");
                BatonProcess baton = fixture.elect("--ttl", "1m", "leave", "--", "sh", "-c", WORK)) {
            awaitStanding(other, "leave", 2);
            baton.signal("TERM");
            assertThat(baton.status()).isEqualTo(143);
            assertThat(baton.out() + baton.err()).isEmpty();
            awaitStanding(other, "leave", 1);
            assertThat(leader.leadership()).isPresent();
        }
    }

    @Test
    @Tag("long")
    void elect_timeout_isNotElected() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                Candidacy leader = leading(other, "late");
                BatonProcess baton = fixture.elect("--timeout", "3s", "late", "--", "echo", "ran")) {
            assertThat(baton.status()).isEqualTo(75);
            assertThat(baton.err()).isEqualTo("baton: not elected in 'late' within 3s\n");
            assertThat(baton.out()).isEmpty();
            assertThat(leader.leadership()).isPresent();
        }
    }

    @Test
    @Tag("long")
    void elect_handOverTheCommandIgnoresSigterm_isKilledAndHandedOver() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                BatonProcess first =
                        fixture.elect("--id", "a", "--grace", "500ms", "firm", "--", "sh", "-c", STUBBORN)) {
            term(1);
            var running = new CompletableFuture<List<Long>>();
            try (Candidacy target = LeaderElection.named(other, "firm").run(Candidate.of("b"), leadership -> {
                running.complete(fixture.commands());
                leadership.awaitStop();
            })) {
                awaitStanding(other, "firm", 2);
                try (BatonProcess asked = fixture.elect("--hand-over-to", "b", "firm")) {
                    assertThat(asked.status()).as(asked.err()).isZero();
                    assertThat(asked.out()).startsWith("'firm': b leads, term ");
                }
                assertThat(target.leadership()).isPresent();
                assertThat(running.orTimeout(30, SECONDS).join()).as("commands").isEmpty();
                assertThat(first.status()).isEqualTo(79);
            }
        }
    }

    @Test
    @Tag("long")
    void elect_handOverToNobody_saysWhyAndTheLeaderGoesOn() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                Candidacy leader = leading(other, "stays");
                BatonProcess unknown = fixture.elect("--hand-over-to", "nobody", "--timeout", "5s", "stays");
                BatonProcess empty = fixture.elect("--hand-over-to", "nobody", "empty")) {
            assertThat(unknown.status()).isEqualTo(75);
            assertThat(unknown.err())
                    .startsWith("baton: not handed over to 'nobody': ")
                    .hasLineCount(1);
            assertThat(empty.status()).isEqualTo(75);
            assertThat(empty.err()).contains("nobody leads").hasLineCount(1);
            assertThat(leader.leadership()).isPresent();
            assertThat(leader.leadership().orElseThrow().stopReason()).isEmpty();
        }
    }

    @Test
    @Tag("long")
    void elect_idIsBorneByAnother_isRefusedWithTheReason() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                Candidacy leader = leading(other, "twins");
                BatonProcess baton = fixture.elect("--id", "first", "--ttl", "2s", "twins", "--", "echo", "ran")) {
            assertThat(baton.status()).isEqualTo(69);
            assertThat(said(baton).get(0)).contains("candidate 'first'", "needs an id of its own");
            assertThat(said(baton)).endsWith("baton: refused as a candidate in 'twins'");
            assertThat(baton.out()).isEmpty();
            assertThat(leader.leadership()).isPresent();
        }
    }
}
