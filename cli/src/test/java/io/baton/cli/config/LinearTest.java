package io.baton.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.baton.cli.Grid;
import io.baton.cli.Text;
import io.baton.config.ConfigEntry;
import io.baton.config.ConfigPart;
import io.baton.config.ConfigValue;
import io.baton.config.KeyChange;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten times the text, or the keys, takes ten times the work: counted in characters that are read, or bytes that are allocated on the way. */
class LinearTest {

    private static final int SOME = 500;
    private static final int TIMES = 10;

    /** A hundred times would be quadratic. */
    private static final int LINEAR = 3 * TIMES;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Counts how often a character of it is read. */
    private static final class Counted implements CharSequence {

        private final String text;
        private long reads;

        Counted(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            reads++;
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            reads += end - start;
            return text.subSequence(start, end);
        }
    }

    private static long allocated(Runnable work) {
        work.run();
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        work.run();
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    }

    private static void linear(IntFunction<Runnable> work) {
        long little = allocated(work.apply(SOME));
        long much = allocated(work.apply(TIMES * SOME));
        assertThat(much).isLessThan(LINEAR * little);
    }

    private static final String ODD = "a\n \t\r\n\u0085b\u2028\u001b[31m \"'\\ ";

    @ParameterizedTest
    @ValueSource(strings = {" ", "\n", " \n", "a", ODD, "\n     a", "\r"})
    void joined_anyText_readsEachCharacterAFewTimes(String piece) {
        var text = new Counted(piece.repeat(10_000));

        assertThat(Text.joined(text, "; ")).isNotNull();

        assertThat(text.reads).isLessThanOrEqualTo(4L * text.length());
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "\n", "a", ODD, "\u001b", "{\"a\": 1}\n"})
    void shown_longValues_areLinear(String piece) {
        linear(n -> {
            String text = "x" + piece.repeat(n);
            var change = new KeyChange("key", Optional.of(text), Optional.of(text + "x"), false);
            return () -> {
                assertThat(Shown.discreet().change(change)).hasSizeLessThan(300);
                assertThat(Shown.discreet().json(List.of(change, change))).contains("key");
                assertThat(Text.line(text) + Text.visible(text) + Text.json(text))
                        .isNotEmpty();
                assertThat(Grid.cell(text, 60)).hasSizeLessThan(100);
                assertThat(Text.columns(text)).isPositive();
            };
        });
    }

    @Test
    void files_ofManyKeys_areWrittenReadAndComparedInLinearTime() {
        for (FileFormat format : FileFormat.values()) {
            linear(n -> {
                var values = new TreeMap<String, String>();
                var present = new TreeMap<String, ConfigValue>();
                for (int i = 0; i < n; i++) {
                    values.put("key-" + i, i % 7 == 0 ? ODD : "x" + i);
                    present.put("key-" + i, new ConfigValue("key-" + i, "x", i, i % 3 == 0));
                }
                var all = new Exported(values, new TreeSet<>(values.keySet()));
                return () -> {
                    Exported read = Exported.read(all.write(format), format);
                    assertThat(read).isEqualTo(all);
                    assertThat(new Merge(present, read.values(), Set.of()).changes(true))
                            .hasSize(n);
                };
            });
        }
    }

    @Test
    void assignments_manyAndLong_areLinear() {
        linear(n -> {
            List<String> args =
                    IntStream.range(0, n).mapToObj(i -> "key-" + i + "=" + ODD).toList();
            List<String> one = List.of("key", "\r".repeat(n) + "\n");
            return () -> {
                assertThat(Assignments.parse(args, System.in)).hasSize(n);
                assertThat(Assignments.parse(one, System.in)).hasSize(1);
            };
        });
    }

    @Test
    void whole_manyPartsAmongOtherChanges_areLinear() {
        linear(n -> {
            List<ConfigEntry> history = new ArrayList<>();
            for (int i = 1; i <= n; i++) {
                var change = new KeyChange("key-" + i, Optional.empty(), Optional.of("x"), false);
                Optional<ConfigPart> part =
                        i % 2 == 0 ? Optional.empty() : Optional.of(new ConfigPart("id", 1 + i / 2, n / 2));
                history.add(new ConfigEntry(i, i, Instant.EPOCH, "ann", "", List.of(change), part));
            }
            Collections.reverse(history);
            return () -> assertThat(Whole.of(history))
                    .hasSize(n / 2 + 1)
                    .allMatch(whole -> !whole.changes().isEmpty());
        });
    }
}
