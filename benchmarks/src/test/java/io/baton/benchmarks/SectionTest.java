package io.baton.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SectionTest {

    private Section section;
    private Section elsewhere;

    @BeforeEach
    void open(@TempDir Path folder) throws Exception {
        Path file = Files.createFile(folder.resolve("section"));
        section = Section.in(file);
        section.clear();
        elsewhere = Section.in(file);
    }

    @Test
    void pass_workersOfSeveralProcesses_areCountedTogether() {
        section.pass(0);
        elsewhere.pass(1);
        elsewhere.pass(1);
        section.pass(0);

        section.expect(4);
        assertThat(section.changes()).isEqualTo(3);
    }

    @Test
    void expect_passLost_saysThatTheLockDidNotExclude() {
        section.pass(0);

        assertThatThrownBy(() -> elsewhere.expect(2)).hasMessage("the lock did not exclude: 2 passes, counted 1");
    }

    @Test
    void clear_nextRound_beginsWithoutAHolder() {
        section.pass(0);
        section.clear();

        elsewhere.pass(0);

        section.expect(1);
        assertThat(section.changes()).isEqualTo(1);
    }
}
