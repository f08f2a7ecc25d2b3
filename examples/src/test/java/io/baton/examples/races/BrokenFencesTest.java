package io.baton.examples.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.tck.mutation.Mutation;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Without its comparison each fence lets a buyer write that was frozen, and twice what there is is taken. It is taken out
 * of a copy of Baton's classes.
 */
@Timeout(180)
class BrokenFencesTest {

    private static final int ALL = 100;

    @Test
    void race_fenceOfARowNotCompared_isLost() throws Exception {
        assertLostOnlyIfReplaced(
                RaceForARow.class,
                "fence-jdbc",
                "fence.jdbc.FencedTable",
                "\" is null or \" + fence + \" <= ?)\"",
                "\" is null or 0 <= ?)\"");
    }

    @Test
    void race_fenceOfANameNotCompared_isLost() throws Exception {
        assertLostOnlyIfReplaced(
                RaceForAName.class, "fence-jdbc", "fence.jdbc.Fences", "if (!seen.equals(own)) {", "if (false) {");
    }

    @Test
    void race_fenceOfAnObjectNotCompared_isLost() throws Exception {
        assertLostOnlyIfReplaced(
                RaceForAnObject.class,
                "recipes",
                "recipes.FencedResource",
                "if (itsToken < token || (itsToken == token && itsTurn < turn)) {",
                "if (false) {");
    }

    private static void assertLostOnlyIfReplaced(
            Class<? extends Callable<Integer>> race, String module, String type, String comparison, String replacement)
            throws Exception {
        assertThat(playCopy(race, Mutation.in(module, type, "none", comparison, comparison)))
                .isEqualTo(ALL);
        assertThat(playCopy(race, Mutation.in(module, type, "not compared", comparison, replacement)))
                .isEqualTo(2 * ALL);
    }

    private static int playCopy(Class<? extends Callable<Integer>> race, Mutation mutation) throws Exception {
        Callable<Integer> copy = mutation.copyOf(race);
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        current.setContextClassLoader(copy.getClass().getClassLoader()); // by which stores are found
        try {
            return copy.call();
        } finally {
            current.setContextClassLoader(before);
        }
    }

    static final class RaceForARow implements Callable<Integer> {

        @Override
        public Integer call() throws Exception {
            return taken(Protection.FENCED_LOCK);
        }
    }

    static final class RaceForAName implements Callable<Integer> {

        @Override
        public Integer call() throws Exception {
            return taken(Protection.FENCES);
        }
    }

    static final class RaceForAnObject implements Callable<Integer> {

        @Override
        public Integer call() throws Exception {
            return MemoryRace.play();
        }
    }

    private static int taken(Protection protection) throws Exception {
        try (Race race = new Race("jdbc:h2:mem:broken-fences;LOCK_TIMEOUT=60000", "mem:broken-fences")) {
            return race.play(protection, new RaceRules(2, ALL, ALL, false, Duration.ZERO, true))
                    .taken();
        }
    }
}
