package io.baton.zookeeper;

import io.baton.Coordinator;
import io.baton.MultiHold;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.junit.jupiter.api.Tag;

/** On several locks as one, as Curator's own {@code InterProcessMultiLock} is. */
@Tag("long")
class CuratorMultiMutexTestsIT extends CuratorPlainMutexTests {

    @Override
    InterProcessLock lock(Coordinator baton) {
        var locks = baton.multiLock(List.of("our-lock-1", "our-lock-2"));
        return new HoldAsCuratorLock<MultiHold>() {
            @Override
            MultiHold acquired() throws InterruptedException {
                return locks.acquire();
            }

            @Override
            Optional<MultiHold> acquired(Duration within) throws InterruptedException {
                return locks.tryAcquire(within);
            }
        };
    }

    @Override
    List<String> kept() {
        return List.of(LOCK_BASE_PATH, LOCK_BASE_PATH + "/locks");
    }
}
