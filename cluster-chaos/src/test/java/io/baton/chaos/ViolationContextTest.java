package io.baton.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.chaos.check.Kind;
import io.baton.chaos.check.Violation;
import io.baton.chaos.history.Event;
import io.baton.chaos.history.HistoryFile;
import io.baton.chaos.history.HistoryFolder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViolationContextTest {

    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path directory;

    @Test
    void of_aViolation_tellsItsLockNearByAndFaultsBefore() {
        HistoryFolder folder = new HistoryFolder(directory);
        try (HistoryFile nemesis = new HistoryFile(folder.file("nemesis"));
                HistoryFile client = new HistoryFile(folder.file("p1.1"))) {
            nemesis.note(Event.parse(5 * SECOND + " nemesis fault kind=long_ago target=x millis=1 round=1"));
            nemesis.note(Event.parse(29 * SECOND + " nemesis fault kind=leader_killed target=x millis=1 round=2"));
            client.note(Event.parse(31 * SECOND + " p1.1.1 released lock=a token=6"));
            client.note(Event.parse(40 * SECOND + " p1.1.1 released lock=a token=7"));
            client.note(Event.parse(40 * SECOND + " p1.1.2 released lock=b token=8"));
            client.note(Event.parse(40 * SECOND + " p1.1.3 applied write=p1.1.3/1"));
        }

        List<String> lines = new ViolationContext(folder, 10 * SECOND)
                .of(new Violation(Kind.OVERLAP, "a", 40 * SECOND, 40 * SECOND + 1, "both"));

        assertThat(lines)
                .containsExactly(
                        "   19.0000 nemesis fault kind=leader_killed target=x millis=1 round=2",
                        "   30.0000 p1.1.1 released lock=a token=7",
                        "   30.0000 p1.1.3 applied write=p1.1.3/1");
    }
}
