package io.baton.zookeeper;

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
class PlantedElectionBugsTest {

    private static final int SEEDS = Integer.getInteger("baton.planted.seeds", 300);

    @Test
    void simulation_bugPlantedInACopy_isFound() {
        List<Verdict> verdicts = bugs().search(SEEDS);
        System.out.println("planted bugs, and the seeds that it took to find them:\n" + PlantedBugs.table(verdicts));
        assertThat(verdicts)
                .allSatisfy(each -> assertThat(each.found()).as("%s", each).isTrue());
    }

    @Test
    void simulation_noBugPlantedInTheCopy_findsNone() {
        var none = new PlantedBugs(ElectionSimulationSeed.class, "zk-backend");
        assertThat(none.searchInVain(20)).isEqualTo(Verdict.unnoticed("none", 20));
    }

    private static PlantedBugs bugs() {
        return ElectionBugs.in(ElectionSimulationSeed.class, "zk-backend")
                .inStore(
                        "LinePlace",
                        "the work is begun before the store has said that nobody stands ahead",
                        "if (leaving) { delete(); } else if (asked == 0) {",
                        "if (leaving) { delete(); } else { clear(); } if (asked == 0) {")
                .inStore(
                        "LinePlace",
                        "the work is begun once somebody ahead has gone",
                        "} else if (ahead.isEmpty()) { clear();",
                        "} else { clear();")
                .inStore(
                        "LinePlace",
                        "the work is begun once the nearest one ahead has gone",
                        "public void deleted() { predecessor = null; list();",
                        "public void deleted() { predecessor = null; if (state == State.STANDING && !leaving) { clear(); }")
                .inStore(
                        "LinePlace",
                        "the term is the number of the entry, not the transaction that made it",
                        "token = node.czxid();",
                        "token = own().sequence();")
                .inStore(
                        "HeadWatch",
                        "an observer is not told that the line is empty",
                        "if (entries.isEmpty()) { notifyListener(null); }",
                        "if (entries.isEmpty()) {}")
                .inStore(
                        "HeadWatch",
                        "an observer does not list anew after a break",
                        "attempts = 0; begin();",
                        "attempts = 0; if (!listed) { begin(); }")
                .inStore(
                        "HeadWatch",
                        "an observer does not see who comes to be first",
                        "case DELETED -> entries.remove(name);",
                        "case DELETED -> {}")
                .inElections(
                        "PauseGate",
                        "a pause that was read, and never observed, is not looked at again",
                        "update(now); readAgainLater();",
                        "update(now);");
    }
}
