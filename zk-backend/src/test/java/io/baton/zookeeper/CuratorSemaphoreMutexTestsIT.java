package io.baton.zookeeper;

import io.baton.Coordinator;
import io.baton.PermitHold;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.junit.jupiter.api.Tag;

/** On a semaphore of one permit, as Curator's own {@code InterProcessSemaphoreMutex} is. */
@Tag("long")
class CuratorSemaphoreMutexTestsIT extends CuratorPlainMutexTests {

    @Override
    InterProcessLock lock(Coordinator baton) {
        var semaphore = baton.semaphore("our-lock", 1);
        return new HoldAsCuratorLock<PermitHold>() {
            @Override
            PermitHold acquired() throws InterruptedException {
                return semaphore.acquire();
            }

            @Override
            Optional<PermitHold> acquired(Duration within) throws InterruptedException {
                return semaphore.tryAcquire(1, within);
            }
        };
    }

    /** The record of its size, too. */
    @Override
    List<String> kept() {
        return List.of(
                LOCK_BASE_PATH,
                LOCK_BASE_PATH + "/semaphores",
                LOCK_BASE_PATH + "/baton.permits",
                LOCK_BASE_PATH + "/baton.semaphores",
                LOCK_BASE_PATH + "/baton.semaphores/our-lock");
    }
}
