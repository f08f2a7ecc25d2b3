package io.baton.benchmarks.scale;

import java.util.ArrayList;
import java.util.List;

/** What one case has shown. {@code NaN} is what could not be measured. */
final class Figures {

    final ScaleCase what;
    double queueSeconds = Double.NaN;
    double drainSeconds = Double.NaN;
    long granted;
    long failed;
    long lost;
    double leastQuiet = Double.NaN;
    double leastCutOff = Double.NaN;
    double leastNeighbour = Double.NaN;
    long suspended;
    long sessionsLost;
    double heapMegabytes = Double.NaN;
    double requestsPerWaiter = Double.NaN;
    double requestsAmongFew = Double.NaN;
    double requestsAmongMany = Double.NaN;
    double serverCpuSeconds = Double.NaN;
    private final List<String> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    Figures(ScaleCase what) {
        this.what = what;
    }

    /** The goal is missed, as this says. */
    void problem(String text) {
        problems.add(text);
    }

    /** Something to know beside the figures. */
    void note(String text) {
        notes.add(text);
    }

    List<String> problems() {
        return List.copyOf(problems);
    }

    List<String> notes() {
        return List.copyOf(notes);
    }

    double grantsPerSecond() {
        return granted / drainSeconds;
    }
}
