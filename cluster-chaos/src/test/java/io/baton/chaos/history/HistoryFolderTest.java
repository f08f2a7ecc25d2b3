package io.baton.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFolderTest {

    @TempDir
    Path directory;

    @Test
    void line_ofAnEvent_tellsItAgain() {
        for (EventKind what : EventKind.values()) {
            Event event = Event.of(7, "p1.2.3", what, "lock", "a", "token", 9, "read", "", "why", "two words");

            assertThat(Event.parse(event.line())).isEqualTo(event);
            assertThat(event.process()).isEqualTo("p1.2");
            assertThat(event.number("token")).isEqualTo(9);
            assertThat(event.text("why")).isEqualTo("two_words");
        }
    }

    @Test
    void parse_noEvent_isRefused() {
        for (String line : List.of("", "7 p1", "x p1 asked", "7 p1 shouted", "7 p1 asked lock")) {
            assertThatThrownBy(() -> Event.parse(line)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> Event.parse("7 p1 asked").text("lock")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void read_filesOfSeveral_tellsAllThatIsComplete() throws Exception {
        HistoryFolder folder = new HistoryFolder(directory.resolve("run"));
        try (HistoryFile one = new HistoryFile(folder.file("p1.1"));
                HistoryFile other = new HistoryFile(folder.file("p2.1"))) {
            one.note("p1.1.1", EventKind.CONNECTED);
            other.note("p2.1.1", EventKind.ASKED, "ask", "1", "lock", "a", "how", "PATIENTLY");
        }
        Files.writeString(folder.file("p2.1"), "77 p2.1.1 relea", StandardOpenOption.APPEND);
        Files.writeString(folder.path().resolve("p1.1.log"), "not a history\n");

        List<EventKind> read = new ArrayList<>();
        folder.read(event -> read.add(event.what()));

        assertThat(read).containsExactly(EventKind.CONNECTED, EventKind.ASKED);
    }

    @Test
    void newest_whileHistoriesGrow_isTheLastGrantOfEachLock() {
        HistoryFolder folder = new HistoryFolder(directory);
        GrantWatch watch = new GrantWatch(folder);
        try (HistoryFile one = new HistoryFile(folder.file("p1.1"))) {
            assertThat(watch.newest()).isEmpty();

            one.note(granted("a", 20));
            one.note(granted("b", 30));
            assertThat(watch.newest()).containsEntry("a", 20L).containsEntry("b", 30L);

            one.note(granted("a", 40));
            one.note("p1.1.1", EventKind.RELEASED, "lock", "b", "token", 1);
            assertThat(watch.newest()).containsEntry("a", 40L).containsEntry("b", 30L);
            assertThat(watch.holders()).containsExactly("p1.1");
        }
    }

    private static Event granted(String lock, long seen) {
        return Event.of(
                seen, "p1.1.1", EventKind.GRANTED, "ask", "x", "lock", lock, "token", 1, "remaining", 5, "seen", seen);
    }
}
