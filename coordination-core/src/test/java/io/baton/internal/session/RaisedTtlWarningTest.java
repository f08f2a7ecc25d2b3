package io.baton.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.memory.MemoryStore;
import io.baton.spi.EventLoop;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RaisedTtlWarningTest {

    private static final String STORE = "raised-ttl";
    private static final Duration SHORT = Duration.ofMillis(40);

    private final RaisedTtlWarning warning = new RaisedTtlWarning();
    private final EventLoop loop = new EventLoop("raised-ttl");

    @AfterEach
    void close() {
        loop.close();
        MemoryStore.drop(STORE);
    }

    @Test
    void line_raisedTtl_namesBothAndWhy_once() {
        assertThat(warning.line(SHORT, session(SHORT)).orElse(""))
                .contains("Asked for a ttl of 40 ms", "keeps sessions for 250 ms", "renewed every quarter of it");
        assertThat(warning.line(SHORT, session(SHORT))).isEmpty();
    }

    @Test
    void line_ttlAsAsked_isNotWritten() {
        Duration asked = Duration.ofSeconds(10);

        assertThat(warning.line(asked, session(asked))).isEmpty();
    }

    private Session session(Duration ttl) {
        return MemoryStore.named(STORE).open(new SessionSpec(ttl, "test"), loop, new Unheard());
    }

    /** Takes no interest. */
    private static final class Unheard implements SessionListener {
        @Override
        public void connected() {}

        @Override
        public void suspended() {}

        @Override
        public void proven() {}

        @Override
        public void lost(CoordinationException why) {}
    }
}
