package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.memory.Outage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whatever becomes of the contact, the states gone through are some of the store's, in their order, and the last one is the last. */
class SequenceTest {

    private static final int SEEDS = Integer.getInteger("baton.config.seeds", 150);

    /** What a listener knows by what it was told. */
    private static final class Mirror implements ConfigListener {

        private final Map<String, String> texts = new TreeMap<>();
        private final List<Map<String, String>> states = new ArrayList<>();
        private final Random random;

        Mirror(Random random) {
            this.random = random;
        }

        @Override
        public void changed(List<KeyChange> changes, long revision) {
            if (random.nextInt(5) == 0) {
                throw new IllegalStateException("now and then");
            }
            for (KeyChange change : changes) {
                assertThat(change.before().orElse("")).isEqualTo(texts.getOrDefault(change.key(), ""));
                change.now().ifPresentOrElse(now -> texts.put(change.key(), now), () -> texts.remove(change.key()));
            }
            states.add(Map.copyOf(texts));
        }
    }

    @Test
    void anything_statesAreASubsequenceAndTheLastIsTheLast() {
        for (int seed = 0; seed < SEEDS; seed++) {
            run(seed);
        }
    }

    private static void run(int seed) {
        Random random = new Random(seed);
        Rig rig = new Rig("sequence");
        List<Map<String, String>> history = new ArrayList<>();
        Map<String, String> present = new TreeMap<>();
        history.add(Map.of());
        LiveConfig config = rig.open();
        Mirror mirror = new Mirror(random);
        Mirror latest = new Mirror(random);
        ListenerOptions options = ListenerOptions.named("mirror").attempts(2, Duration.ofMillis(50));
        config.onPrefix("", options, mirror);
        config.onPrefix("", options.latest(), latest);
        for (int step = 0; step < 60; step++) {
            switch (random.nextInt(8)) {
                case 0 -> rig.store.suspend("app");
                case 1 -> rig.store.resume();
                case 2 -> rig.store.expireSessions("app");
                case 3 -> rig.store.outage("app", any(random), 1 + random.nextInt(3));
                default -> write(random, rig, present, history);
            }
            rig.loop.run(random.nextInt(30));
            if (random.nextInt(4) == 0) {
                rig.pass(Duration.ofMillis(random.nextInt(20_000)));
            }
        }
        rig.store.resume();
        rig.pass(Duration.ofSeconds(30));
        write(random, rig, present, history);
        rig.pass(Duration.ofSeconds(30));
        write(random, rig, present, history);
        rig.pass(Duration.ofSeconds(30));

        Map<String, String> last = history.get(history.size() - 1);
        assertThat(config.status().healthy())
                .as("seed %d: %s", seed, config.status())
                .isTrue();
        Map<String, String> texts = new TreeMap<>();
        config.snapshot().values().forEach((key, value) -> texts.put(key, value.text()));
        assertThat(texts).as("seed %d", seed).isEqualTo(last);
        for (Mirror each : List.of(mirror, latest)) {
            assertSubsequence(seed, each.states, history);
        }
    }

    private static Outage.When any(Random random) {
        return Outage.When.values()[random.nextInt(Outage.When.values().length)];
    }

    private static void write(Random random, Rig rig, Map<String, String> present, List<Map<String, String>> history) {
        List<String> all = new ArrayList<>();
        for (String key : List.of("a", "b", "c")) {
            int what = random.nextInt(3);
            if (what == 0) {
                present.put(key, "v" + history.size());
                all.add(key);
                all.add(present.get(key));
            } else if (what == 1 && present.remove(key) != null) {
                all.add(key);
                all.add(null);
            }
        }
        if (!all.isEmpty()) {
            rig.send(all.toArray(String[]::new));
            history.add(Map.copyOf(present));
        }
    }

    private static void assertSubsequence(
            int seed, List<Map<String, String>> states, List<Map<String, String>> history) {
        int at = 0;
        for (Map<String, String> state : states) {
            while (at < history.size() && !history.get(at).equals(state)) {
                at++;
            }
            assertThat(at).as("seed %d: %s is no later state", seed, state).isLessThan(history.size());
        }
    }
}
