package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.tck.mutation.ElectionBugs;
import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.mutation.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The simulation of elections is able to fail: {@link ElectionBugs} and those of this store, planted in copies of our own
 * sources, are found by it. {@code -Dbaton.planted.seeds=2000} looks for each in more seeds.
 */
class EtcdPlantedElectionBugsTest {

    private static final int SEEDS = Integer.getInteger("baton.planted.seeds", 1_000);

    @Test
    void simulation_bugPlantedInACopy_isFound() {
        List<Verdict> verdicts = bugs().search(SEEDS);
        System.out.println("planted bugs, and the seeds that it took to find them:\n" + PlantedBugs.table(verdicts));
        assertThat(verdicts)
                .allSatisfy(each -> assertThat(each.found()).as("%s", each).isTrue());
    }

    @Test
    void simulation_noBugPlantedInTheCopy_findsNone() {
        var none = new PlantedBugs(EtcdElectionSimulationSeed.class, "etcd-backend");
        assertThat(none.searchInVain(20)).isEqualTo(Verdict.unnoticed("none", 20));
    }

    private static PlantedBugs bugs() {
        return ElectionBugs.in(EtcdElectionSimulationSeed.class, "etcd-backend")
                .inStore(
                        "LinePlace",
                        "the work is begun before the store has said that nobody stands ahead",
                        "ownEntries.add(this); if (leaving) { delete(); }",
                        "ownEntries.add(this); if (leaving) { delete(); } else { clear(); }")
                .inStore(
                        "LinePlace",
                        "the work is begun once somebody ahead has gone",
                        "} else if (ahead.removeAll(keys) && ahead.isEmpty()) {",
                        "} else if (ahead.removeAll(keys)) {")
                .inStore(
                        "LinePlace",
                        "the work is begun once the nearest one ahead has gone",
                        "session.predecessorWatches().add(prefix, predecessor); predecessor = null; } list(); }",
                        "session.predecessorWatches().add(prefix, predecessor); predecessor = null; } clear(); }")
                .inStore(
                        "LinePlace",
                        "the term is the lease, not the revision that made the entry",
                        "new Entry(new Peer(line, name, token), token,",
                        "new Entry(new Peer(line, name, token), lease,")
                .inStore(
                        "HeadObservation",
                        "an observer is not told that the line is empty",
                        "if (!(begun && same(told, first))) {",
                        "if (first != null && !(begun && same(told, first))) {")
                .inStore(
                        "PrefixWatch",
                        "an observer goes on one revision too late after a break",
                        "next = one.getKey() + 1;",
                        "next = one.getKey() + 2;")
                .inStore(
                        "PrefixWatch",
                        "an observer goes on from now after a break",
                        "// Its revision says nothing of what has been told.",
                        "next = header.revision() + 1;")
                .inStore(
                        "Audit",
                        "what an observer was not told is not looked for",
                        "heads.forEach(head -> lines.add(head.prefix()));",
                        "");
    }
}
