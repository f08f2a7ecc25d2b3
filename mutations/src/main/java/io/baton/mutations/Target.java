package io.baton.mutations;

import io.baton.mutations.Trial.Simulation;
import io.baton.tck.sim.SimulationKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A class that is changed, and what has to notice.
 *
 * @param module where it is
 * @param type its full name
 * @param tests modules whose unit tests are run, its own first
 * @param simulations what plays seeds
 */
record Target(String module, String type, List<String> tests, List<Simulation> simulations) {

    private static final String ZOOKEEPER = "zk-backend";
    private static final String ETCD = "etcd-backend";
    private static final String CORE = "coordination-core";
    private static final String ELECTIONS = "leader-election";
    private static final String CONFIGURATION = "config-watch";

    /** All that are known, of the project that is here. */
    static List<Target> all(Path root) {
        Stream<Target> etcd = Stream.of(
                        "Evidence",
                        "HeartbeatRequests",
                        "TimedWire",
                        "Transaction",
                        "ErrorClassifier",
                        "ProtoCodec",
                        "Heartbeat",
                        "Timing")
                .map(name -> new Target(
                        ETCD, named(root, ETCD, "io.baton.etcd", name), List.of(ETCD), List.of(onEtcd(ofStore(name)))));
        Stream<Target> zookeeper = Stream.of(
                        "Evidence",
                        "HeartbeatRequests",
                        "PredecessorWatch",
                        "TimedWire",
                        "Transaction",
                        "Heartbeat",
                        "Timing",
                        "Naming")
                .map(name -> new Target(
                        ZOOKEEPER,
                        named(root, ZOOKEEPER, "io.baton.zookeeper", name),
                        List.of(ZOOKEEPER),
                        List.of(onZooKeeper(ofStore(name)))));
        Stream<Target> core = Stream.of(
                        named(root, CORE, "io.baton.internal", "FencedHold"),
                        named(root, CORE, "io.baton.internal", "Acquisition"),
                        named(root, CORE, "io.baton.internal", "AcquisitionMachine"),
                        named(root, CORE, "io.baton.spi.support", "PlaceMachine"))
                .map(type -> new Target(CORE, type, List.of(CORE, ZOOKEEPER, ETCD), onBoth(SimulationKind.LOCKS)));
        Stream<Target> texts = Stream.of(new Target(
                CORE,
                named(root, CORE, "io.baton.recipe", "TextLines"),
                List.of(CORE, ELECTIONS),
                onBoth(SimulationKind.ELECTIONS)));
        Stream<Target> elections = Stream.of(
                        "CandidacyMachine",
                        "StandbyMachine",
                        "HandOverMachine",
                        "HandOverRules",
                        "PauseGate",
                        "StandbyGate",
                        "CandidateList",
                        "PriorityTakeover",
                        "HandOverRecord",
                        "HandOverNote",
                        "PauseRecord",
                        "StateRecord",
                        "CandidateText",
                        "HealthTally",
                        "TermRunner")
                .map(name -> new Target(
                        ELECTIONS,
                        named(root, ELECTIONS, "io.baton.election", name),
                        List.of(ELECTIONS),
                        onBoth(name.startsWith("Standby") ? SimulationKind.STANDBYS : SimulationKind.ELECTIONS)));
        Stream<Target> configuration = Stream.of(
                        "Plan",
                        "Undoing",
                        "EarlierStates",
                        "ConsentRound",
                        "StoreState",
                        "ActiveConfig",
                        "Canary",
                        "CanaryChoice",
                        "CanaryClock",
                        "CanaryRecord",
                        "LastGood",
                        "Differences",
                        "Sizes",
                        "Parts",
                        "Kept",
                        "HistoryRecord",
                        "SpaceHead",
                        "StoreUpdate",
                        "UpdateQueue",
                        "Turn",
                        "KeyDelta",
                        "ValueDelta",
                        "CacheText",
                        "Cached",
                        "Follower",
                        "Applier")
                .map(name -> configuration(named(root, CONFIGURATION, "io.baton.config", name)));
        Stream<Target> values = Stream.of(
                        "Layers",
                        "Effective",
                        "Variables",
                        "DocumentTree",
                        "KeyNode",
                        "KeyNames",
                        "ParsedKeys",
                        "Documents",
                        "DocumentReader",
                        "Bundled",
                        "Scalars",
                        "Durations",
                        "ValueTexts",
                        "SecretPaths",
                        "SecretTexts",
                        "Difference")
                .map(name -> configuration(named(root, CONFIGURATION, "io.baton.config.values", name)));
        return Stream.of(etcd, zookeeper, core, texts, elections, configuration, values)
                .flatMap(each -> each)
                .toList();
    }

    /** The full name of a class of this module, which is in this package or in one of its own. */
    private static String named(Path root, String module, String base, String name) {
        Path sources = root.resolve(module).resolve("src/main/java");
        try (Stream<Path> files = Files.walk(sources.resolve(base.replace('.', '/')))) {
            Path nearest = files.filter(file -> file.endsWith(name + ".java"))
                    .min(Comparator.comparing(Path::getNameCount))
                    .orElseThrow(() -> new IllegalStateException("there is no " + name + " below " + base));
            String source = sources.relativize(nearest).toString();
            return source.substring(0, source.length() - ".java".length()).replace('/', '.');
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Of transactions what came of them is judged where a configuration is written. */
    private static SimulationKind ofStore(String name) {
        return name.equals("Transaction") ? SimulationKind.CONFIG : SimulationKind.LOCKS;
    }

    private static List<Simulation> onBoth(SimulationKind kind) {
        return List.of(onZooKeeper(kind), onEtcd(kind));
    }

    private static Simulation onZooKeeper(SimulationKind kind) {
        return new Simulation("io.baton.zookeeper.ZooKeeperSimulations", kind);
    }

    private static Simulation onEtcd(SimulationKind kind) {
        return new Simulation("io.baton.etcd.EtcdSimulations", kind);
    }

    private static Target configuration(String type) {
        return new Target(CONFIGURATION, type, List.of(CONFIGURATION), onBoth(SimulationKind.CONFIG));
    }

    /** Without its package. */
    String name() {
        return type.substring(type.lastIndexOf('.') + 1);
    }

    /** Its classes as they were compiled, those within it included. */
    Map<String, byte[]> classes(Path root) throws IOException {
        Path folder = root.resolve(module).resolve("target/classes");
        Path file = folder.resolve(type.replace('.', '/') + ".class");
        String nested = name() + "$";
        var classes = new TreeMap<String, byte[]>();
        try (Stream<Path> files = Files.list(file.getParent())) {
            for (Path each : (Iterable<Path>) files::iterator) {
                String name = each.getFileName().toString();
                if (each.equals(file) || name.startsWith(nested)) {
                    String path = folder.relativize(each).toString();
                    classes.put(
                            path.substring(0, path.length() - ".class".length()).replace('/', '.'),
                            Files.readAllBytes(each));
                }
            }
        }
        return classes;
    }

    /** The lines of its source. */
    List<String> source(Path root) throws IOException {
        return Files.readAllLines(
                root.resolve(module).resolve("src/main/java").resolve(type.replace('.', '/') + ".java"));
    }
}
