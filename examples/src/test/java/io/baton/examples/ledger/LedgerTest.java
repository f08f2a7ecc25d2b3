package io.baton.examples.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.LeaderElection;
import io.baton.election.Leadership;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LedgerTest {

    @Test
    void append_sameKeyAgain_isStoredOnce() throws Exception {
        try (Coordinator baton = Coordinator.connect("mem:ledger-again");
                var leader = new Reign(baton, "node-1")) {
            var ledger = new Ledger(baton);
            LedgerEntry first =
                    ledger.append(leader.leadership(), "key", "text").orElseThrow();
            assertThat(ledger.append(leader.leadership(), "key", "text")).contains(first);
            assertThat(ledger.append(leader.leadership(), "other", "text").map(LedgerEntry::number))
                    .contains(2L);
            assertThat(ledger.count()).isEqualTo(2);
            assertThat(ledger.get(1)).contains(first);
        }
    }

    @Test
    void append_afterTheTerm_isRefused() throws Exception {
        try (Coordinator baton = Coordinator.connect("mem:ledger-late")) {
            var ledger = new Ledger(baton);
            Leadership former;
            try (var leader = new Reign(baton, "node-1")) {
                former = leader.leadership();
            }
            assertThat(ledger.append(former, "key", "late")).isEmpty();
            assertThat(ledger.count()).isZero();
        }
    }

    @Test
    void service_afterTheTermAndNotDemotedYet_neitherAppendsNorReads() throws Exception {
        try (Coordinator baton = Coordinator.connect("mem:ledger-deposed")) {
            var service = new LedgerService(new Ledger(baton));
            try (var leader = new Reign(baton, "node-1")) {
                service.promote(leader.leadership());
                assertThat(service.append("key", "text"))
                        .isEqualTo(service.get(1).orElseThrow());
            }
            assertThatThrownBy(() -> service.append("other", "late")).isInstanceOf(NotActiveException.class);
            assertThatThrownBy(() -> service.get(1)).isInstanceOf(NotActiveException.class);
        }
    }

    @Test
    void entry_textOfSeveralLines_isDecodedAsItWas() {
        var entry = new LedgerEntry(17, 4711, "key", "two\nlines\n");
        assertThat(LedgerEntry.decode(entry.encode())).isEqualTo(entry);
    }

    /** Leads until closed. */
    private static final class Reign implements AutoCloseable {

        private final CompletableFuture<Leadership> leads = new CompletableFuture<>();
        private final Candidacy candidacy;

        Reign(Coordinator baton, String id) {
            candidacy = LeaderElection.named(baton, "ledger").run(Candidate.of(id), leadership -> {
                leads.complete(leadership);
                leadership.awaitStop();
            });
        }

        Leadership leadership() {
            return leads.join();
        }

        @Override
        public void close() {
            candidacy.close();
        }
    }
}
