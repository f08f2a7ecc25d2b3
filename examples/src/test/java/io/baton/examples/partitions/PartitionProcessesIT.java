package io.baton.examples.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Item;
import io.baton.QueueEntry;
import io.baton.examples.ProgramProcess;
import io.baton.recipes.Assignment;
import io.baton.recipes.Group;
import io.baton.recipes.GroupMember;
import io.baton.recipes.GroupView;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.server.Freezer;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three processes share the partitions. One is killed, one is stopped and wakes, and one is told to end. */
@Timeout(300)
class PartitionProcessesIT {

    private static final Duration TTL = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String ENDED = "worker-1";
    private static final String STOPPED = "worker-2";
    private static final String KILLED = "worker-3";

    @TempDir
    Path directory;

    private Coordinator observer;
    private int appended;

    @Test
    void processKilledStoppedAndEndedOnZooKeeper_partitionsMoveAndEachOrderIsHandledOnce() throws Exception {
        try (LocalZooKeeper zookeeper = LocalZooKeeper.start()) {
            play(zookeeper.uri("shop"));
        }
    }

    @Test
    @Tag("etcd")
    @Tag("long")
    void processKilledStoppedAndEndedOnEtcd_partitionsMoveAndEachOrderIsHandledOnce() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start()) {
            play(etcd.uri("shop"));
        }
    }

    private void play(String store) throws Exception {
        CoordinatorOptions patient =
                CoordinatorOptions.builder().connectTimeout(PATIENCE).build();
        try (Coordinator baton = Coordinator.connect(store, patient);
                ProgramProcess ended = start(PartitionWorker.class, store, ENDED);
                ProgramProcess stopped = start(HesitantWorker.class, store, STOPPED);
                ProgramProcess killed = start(HesitantWorker.class, store, KILLED)) {
            observer = baton;
            appendOrders("order");
            awaitServedBy(ENDED, STOPPED, KILLED);

            appendOrders("order");
            killed.kill();
            awaitServedBy(ENDED, STOPPED);

            stopAndWake(stopped);
            appendOrders("order");
            awaitServedBy(ENDED, STOPPED);

            appendOrders("order");
            ended.terminate();
            awaitServedBy(STOPPED);
            everyOrderIsHandledOnce();
        }
    }

    private ProgramProcess start(Class<?> program, String store, String name) throws IOException {
        List<String> arguments = List.of(store, name, directory.toString(), Long.toString(TTL.toMillis()));
        return ProgramProcess.start(program, "partitions/" + name, arguments);
    }

    /** In the middle of an order of each of its partitions, which others handle meanwhile. */
    private void stopAndWake(ProgramProcess process) throws Exception {
        List<Integer> its = assignment(view()).get(STOPPED);
        appendOrders(HesitantWorker.HESITATES + STOPPED);
        assertThat(process.next(its.size())).isEqualTo(each(HesitantWorker.HESITATES, its));
        Freezer freezer = process.freeze();
        try {
            process.tellToGoOn();
            awaitServedBy(ENDED);
        } finally {
            freezer.thaw();
        }
        assertThat(process.next(its.size())).as("late writes").isEqualTo(each(HesitantWorker.REFUSED, its));
    }

    private static Set<String> each(String word, List<Integer> partitions) {
        return partitions.stream().map(partition -> word + partition).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Another order in each partition. */
    private void appendOrders(String text) throws IOException {
        appended++;
        for (int partition = 0; partition < PartitionWorker.PARTITIONS; partition++) {
            Files.writeString(
                    directory.resolve(Integer.toString(partition)),
                    text + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }

    /** Waits until these, and no others, are in, each is the only one in the lines of its partitions, and has handled all. */
    private void awaitServedBy(String... names) {
        awaitAsserted(() -> {
            GroupView view = view();
            assertThat(view.members()).extracting(GroupMember::text).containsExactlyInAnyOrder(names);
            assertThat(owners(names)).isEqualTo(assignment(view));
        });
        awaitAsserted(() -> assertThat(
                        observer.records(PartitionWorker.POSITIONS).list("").values())
                .extracting(Item::text)
                .hasSize(PartitionWorker.PARTITIONS)
                .containsOnly(Integer.toString(appended)));
    }

    private static void awaitAsserted(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).untilAsserted(assertion);
    }

    private GroupView view() throws InterruptedException {
        return Group.named(observer, PartitionWorker.GROUP).members();
    }

    /** The partitions that each member is to serve. */
    private static Map<String, List<Integer>> assignment(GroupView view) {
        Assignment assignment = Assignment.of(view.ids(), PartitionWorker.PARTITIONS);
        return view.members().stream()
                .collect(Collectors.toMap(
                        GroupMember::text,
                        member -> assignment.partitionsOf(member.id()),
                        (one, other) -> List.of(),
                        TreeMap::new));
    }

    /** The partitions whose lock each process has, with no other one behind it. */
    private Map<String, List<Integer>> owners(String... names) throws InterruptedException {
        Map<String, List<Integer>> owners = new TreeMap<>();
        for (String name : names) {
            owners.put(name, new ArrayList<>()); // by chance a process may have none
        }
        for (int partition = 0; partition < PartitionWorker.PARTITIONS; partition++) {
            List<QueueEntry> line =
                    observer.lock(PartitionWorker.lock(partition)).queue();
            assertThat(line).as("line of partition %s", partition).hasSize(1);
            owners.computeIfAbsent(line.get(0).client(), first -> new ArrayList<>())
                    .add(partition);
        }
        return owners;
    }

    private void everyOrderIsHandledOnce() throws InterruptedException {
        List<Item> handled = observer.records(PartitionWorker.HANDLED).list("").values().stream()
                .sorted(Comparator.comparing(item -> item.revision().order()))
                .toList();
        for (int partition = 0; partition < PartitionWorker.PARTITIONS; partition++) {
            String prefix = partition + "/";
            List<String[]> its = handled.stream()
                    .map(item -> item.key().name())
                    .filter(name -> name.startsWith(prefix))
                    .map(name -> name.split("/"))
                    .toList();
            assertThat(its)
                    .as("orders of partition %s as they were written", partition)
                    .extracting(parts -> Integer.parseInt(parts[1]))
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, appended).boxed().toList());
            assertThat(its)
                    .as("tokens of partition %s as they were used", partition)
                    .extracting(parts -> Long.parseLong(parts[2]))
                    .isSorted();
        }
    }
}
