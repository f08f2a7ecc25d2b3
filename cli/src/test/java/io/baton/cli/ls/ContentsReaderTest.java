package io.baton.cli.ls;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.cli.ls.StoreContents.Kind;
import io.baton.spi.Line;
import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.Finding;
import io.baton.spi.inspect.ServerState;
import io.baton.spi.inspect.SessionTimings;
import io.baton.spi.inspect.StoreInspector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ContentsReaderTest {

    private final Tree tree = new Tree();

    @Test
    void locks_aPageOfIdleOnes_saysBehindWhichToGoOn() throws Exception {
        tree.add("locks", "a", 0).add("locks", "b", 0).add("locks", "%C3%BC", 0).add("locks", "z", 2);
        assertThat(read(Kind.locks, "", 2).locks()).isEmpty();
        assertThat(pages(Kind.locks, 2)).containsExactly("a", "");
        assertThat(pages(Kind.locks, 3)).containsExactly("b", "");
        assertThat(pages(Kind.locks, 1)).containsExactly("\u00fc", "a", "b", "");
        assertThat(read(Kind.locks, "b", 2).locks())
                .extracting(lock -> lock.name())
                .containsExactly("z");
    }

    @Test
    void elections_aPageOfIdleOnes_saysBehindWhichToGoOn() throws Exception {
        tree.add("elections", "a", 0).add("elections", "b", 0).add("elections", "c", 1);
        assertThat(pages(Kind.elections, 1)).containsExactly("a", "b", "");
    }

    @Test
    void locks_namesOfOtherPrograms_areLeftOutAndNeverWhereToGoOn() throws Exception {
        tree.add("locks", "%zz", 1).add("locks", "a", 1).add("locks", "b c", 1).add("locks", "d", 1);
        assertThat(pages(Kind.locks, 1)).containsExactly("a", "");
        assertThat(read(Kind.locks, "", 2).locks())
                .extracting(lock -> lock.name())
                .containsExactly("a", "d");
    }

    @Test
    void readWriteLocks_idle_areLeftOut() throws Exception {
        tree.add("rwlocks", "idle", 0).add("rwlocks", "prices", 3);
        assertThat(read(Kind.rwlocks, "", 10).readWriteLocks())
                .containsExactly(new StoreContents.ReadWriteLock("prices", Optional.empty(), 3));
        assertThat(pages(Kind.rwlocks, 1)).containsExactly("idle", "");
    }

    @Test
    void semaphores_firstOfTheQueue_isCountedOnceAlthoughItStandsAmongThePermits() throws Exception {
        tree.add("baton.permits", "idle", 0).add("baton.permits", "full", 4).add("semaphores", "full", 2);
        assertThat(read(Kind.semaphores, "", 10).semaphores())
                .containsExactly(new StoreContents.Semaphore("full", 3, 2));
    }

    @Test
    void configurations_namesThatBeginLikeOthers_areAllListed() throws Exception {
        List<String> spaces = List.of("shop-eu", "shop", "shop.de", "shop0");
        spaces.forEach(space -> tree.add("", space, 0).add("", space + ".history", 0));
        List<String> seen = new ArrayList<>();
        String after = "";
        do {
            StoreContents page = read(Kind.configurations, after, 1);
            page.configurations().forEach(each -> seen.add(each.space()));
            after = page.more().getOrDefault(Kind.configurations, "");
        } while (!after.isEmpty());
        assertThat(seen).containsExactlyInAnyOrderElementsOf(spaces);
    }

    @Test
    void configurations_besideMuchOfOtherPrograms_areFound() throws Exception {
        IntStream.range(0, 25_000).forEach(i -> tree.add("", "a" + i, 0));
        tree.add("", "config", 0).add("", "z", 0).add("", "z.fleet", 0);
        assertThat(read(Kind.configurations, "", 10).configurations())
                .extracting(each -> each.space())
                .containsExactly("config", "z");
    }

    /** Behind which names the pages go on, up to the last page, which says none. */
    private List<String> pages(Kind kind, int most) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of(read(kind, "", most).more().getOrDefault(kind, "")));
        while (!all.get(all.size() - 1).isEmpty() && all.size() < 10) {
            all.add(read(kind, all.get(all.size() - 1), most).more().getOrDefault(kind, ""));
        }
        return all;
    }

    private StoreContents read(Kind kind, String after, int most) throws InterruptedException {
        return new ContentsReader(tree, Set.of(kind), after, most).read();
    }

    /** Names below paths, with how many stand in the line of each. */
    private static final class Tree implements StoreInspector {

        private static final Comparator<String> ORDER = Comparator.comparing(name -> name + "/");

        private final Map<String, Map<String, Integer>> all = new TreeMap<>();

        Tree add(String path, String name, int length) {
            all.computeIfAbsent(path, any -> new TreeMap<>(ORDER)).put(name, length);
            return this;
        }

        @Override
        public NamePage names(String path, String after, int most) {
            List<String> behind = all.getOrDefault(path, Map.of()).keySet().stream()
                    .filter(name -> after.isEmpty() || ORDER.compare(name, after) > 0)
                    .toList();
            return new NamePage(behind.stream().limit(most).toList(), behind.size() > most);
        }

        @Override
        public List<LineSummary> lines(Line.Kind kind, List<String> paths) {
            return paths.stream()
                    .map(path -> new LineSummary(path, length(path), Optional.empty()))
                    .toList();
        }

        private int length(String path) {
            int slash = path.lastIndexOf('/');
            return all.getOrDefault(path.substring(0, Math.max(0, slash)), Map.of())
                    .getOrDefault(path.substring(slash + 1), 0);
        }

        @Override
        public List<TreeSummary> trees(List<String> names) {
            return names.stream()
                    .map(name -> new TreeSummary(name, 0, Optional.empty()))
                    .toList();
        }

        @Override
        public List<ServerState> servers() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<ClockReading> clock() {
            throw new UnsupportedOperationException();
        }

        @Override
        public SessionTimings timings(Duration granted) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Finding> examine(Duration ttl, OptionalInt adminPort) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
