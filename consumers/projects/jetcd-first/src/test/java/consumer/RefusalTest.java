package consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Maven mixes two versions of gRPC here, which do not work together. */
class RefusalTest {

    @Test
    @Timeout(60)
    void connect_partsOfTwoVersions_saysAtOnceWhatToDo() {
        CoordinatorOptions options =
                CoordinatorOptions.builder().connectTimeout(Duration.ofHours(1)).build();

        CoordinationException refused = assertThrows(
                CoordinationException.class,
                () -> Coordinator.connect(System.getenv("ETCD_STORE"), options).close());

        assertEquals(CoordinationException.class, refused.getClass(), refused.toString());
        String message = refused.getMessage();
        assertTrue(message.matches(".* Found gRPC [0-9.]+ [(].*[)], [0-9.]+ [(].*[)]; Netty .*"), message);
        assertTrue(message.contains("import io.baton:baton-bom"), message);
    }
}
