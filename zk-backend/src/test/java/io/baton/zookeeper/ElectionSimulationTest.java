package io.baton.zookeeper;

import io.baton.tck.mutation.ElectionBugs;
import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;

/** Elections on simulated ZooKeepers, under faults. */
class ElectionSimulationTest extends SimulationSuite {

    ElectionSimulationTest() {
        super(new ZooKeeperSimulations(), SimulationKind.ELECTIONS, "zookeeper, elections", 200, 300);
    }

    @Override
    protected List<String> events() {
        return List.of("sessions ended by hand");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        ElectionBugs.plant(bugs);
        bugs.inStore(
                        "LinePlace",
                        "the work is begun before the store has said that nobody stands ahead",
                        "life.joined(); if (waitsForNone()) {",
                        "life.joined(); if (life.waits()) { clear(); } if (waitsForNone()) {")
                .inStore(
                        "EntriesAhead",
                        "the work is begun once somebody ahead has gone",
                        "} else if (ahead.isEmpty()) { place.clear();",
                        "} else { place.clear();")
                .inStore(
                        "PredecessorWatch",
                        "the work is begun once the nearest one ahead has gone",
                        "boolean first = isFirst();",
                        "boolean first = true;")
                .inStore(
                        "PredecessorWatch",
                        "the work is begun though a hand-over has removed the own entry",
                        "&& session.watches().isSet(path(own))",
                        "")
                .inStore(
                        "LinePlace",
                        "the term is the number of the entry, not the transaction that made it",
                        "token = node.czxid();",
                        "token = own().sequence();")
                .inStore(
                        "HeadWatch",
                        "an observer is not told that the line is empty",
                        "if (entries().isEmpty()) { notifyListener(null); }",
                        "if (entries().isEmpty()) {}")
                .inStore(
                        "LineWatch",
                        "an observer does not list anew after a break",
                        "attempts = 0; begin();",
                        "attempts = 0; if (!listed) { begin(); }")
                .inStore(
                        "LineWatch",
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
