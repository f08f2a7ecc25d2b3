package io.baton.mutations;

import io.baton.mutations.Trial.Covered;
import io.baton.mutations.Trial.Outcome;
import io.baton.mutations.Trial.Probed;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Does in a JVM of its own what it is asked for, one after the other, until its input ends. */
public final class Worker {

    private final Launcher launcher = LauncherFactory.create();
    private final Map<String, ObjLongConsumer<String>> simulations = new HashMap<>();

    private Worker() {}

    /** Reads trials from standard input, and writes their outcomes to standard output. */
    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        var out = new ObjectOutputStream(System.out);
        out.flush();
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        var in = new ObjectInputStream(new BufferedInputStream(System.in));
        var worker = new Worker();
        while (true) {
            Trial trial;
            try {
                trial = (Trial) in.readObject();
            } catch (EOFException end) {
                // Threads that a test has left behind must not keep the JVM.
                Runtime.getRuntime().halt(0);
                return;
            }
            out.writeObject(worker.answer(trial));
            out.reset();
            out.flush();
        }
    }

    private Serializable answer(Trial trial) throws ReflectiveOperationException {
        if (trial instanceof Trial.Plant plant) {
            return plant(plant);
        } else if (trial instanceof Trial.Tests tests) {
            return test(tests.ids());
        } else if (trial instanceof Trial.Seeds seeds) {
            return simulate(simulation(seeds.simulation()), seeds.seeds());
        } else if (trial instanceof Trial.CoverTests cover) {
            probe(cover.classes());
            return new ArrayList<>(cover(cover.tests()));
        } else if (trial instanceof Trial.CoverSeeds cover) {
            probe(cover.classes());
            LongConsumer simulation = simulation(cover.simulation());
            var covered = new ArrayList<Covered>();
            for (int seed = cover.from(); seed < cover.to(); seed++) {
                covered.add(cover(simulation, seed));
            }
            return covered;
        }
        throw new AssertionError(trial);
    }

    private static void probe(List<Probed> classes) {
        classes.forEach(each -> Exchange.whenLoaded(each.type(), Probes.in(each.bytes(), each.offset())));
    }

    private static boolean plant(Trial.Plant plant) {
        if (plant.whenLoaded()) {
            Exchange.whenLoaded(plant.type(), plant.bytes());
            return true;
        }
        return Exchange.now(plant.type(), plant.bytes());
    }

    @SuppressWarnings("unchecked")
    private LongConsumer simulation(Trial.Simulation which) throws ReflectiveOperationException {
        ObjLongConsumer<String> known = simulations.get(which.type());
        if (known == null) {
            Constructor<?> made = Class.forName(which.type()).getDeclaredConstructor();
            made.setAccessible(true);
            known = (ObjLongConsumer<String>) made.newInstance();
            simulations.put(which.type(), known);
        }
        ObjLongConsumer<String> all = known;
        return seed -> all.accept(which.kind().name(), seed);
    }

    private static Outcome simulate(LongConsumer simulation, int[] seeds) {
        for (int seed : seeds) {
            try {
                simulation.accept(seed);
            } catch (RuntimeException | Error thrown) {
                return new Outcome(true, "seed " + seed + ": " + said(thrown));
            }
        }
        return new Outcome(false, "");
    }

    private static Covered cover(LongConsumer simulation, int seed) {
        Probes.taken();
        long began = System.nanoTime();
        boolean passed = true;
        try {
            simulation.accept(seed);
        } catch (RuntimeException | Error thrown) {
            passed = false;
        }
        return new Covered(String.valueOf(seed), "seed " + seed, System.nanoTime() - began, passed, Probes.taken());
    }

    private static String said(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage() == null ? "" : ": " + root.getMessage();
        return (root.getClass().getSimpleName() + message).lines().findFirst().orElse("");
    }

    private Outcome test(List<String> ids) {
        var listener = new FirstFailure();
        for (String id : ids) {
            launcher.execute(request(List.of(DiscoverySelectors.selectUniqueId(id))), listener);
            if (listener.outcome.noticed()) {
                break;
            }
        }
        return listener.outcome;
    }

    private List<Covered> cover(List<String> tests) {
        var listener = new EachTest();
        launcher.execute(
                request(tests.stream().map(DiscoverySelectors::selectClass).toList()), listener);
        return listener.covered;
    }

    private static LauncherDiscoveryRequest request(List<? extends DiscoverySelector> selectors) {
        return LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
    }

    private static String name(TestIdentifier test) {
        String method = test.getLegacyReportingName();
        return test.getUniqueIdObject().getSegments().stream()
                        .filter(each -> each.getType().equals("class"))
                        .map(each -> each.getValue().substring(each.getValue().lastIndexOf('.') + 1))
                        .findFirst()
                        .orElse("")
                + "." + method;
    }

    private static final class FirstFailure implements TestExecutionListener {

        private Outcome outcome = new Outcome(false, "");

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED && !outcome.noticed()) {
                outcome = new Outcome(
                        true,
                        name(test)
                                + result.getThrowable()
                                        .map(why -> ": " + said(why))
                                        .orElse(""));
            }
        }
    }

    private static final class EachTest implements TestExecutionListener {

        private final ArrayList<Covered> covered = new ArrayList<>();
        private long began;

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isTest()) {
                Probes.taken();
                began = System.nanoTime();
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
                result.getThrowable().ifPresent(why -> why.printStackTrace(System.err));
                covered.add(new Covered(
                        test.getUniqueId(),
                        name(test),
                        System.nanoTime() - began,
                        result.getStatus() == TestExecutionResult.Status.SUCCESSFUL,
                        Probes.taken()));
            }
        }
    }
}
