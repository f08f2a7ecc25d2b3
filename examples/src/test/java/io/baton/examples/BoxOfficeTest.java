package io.baton.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.memory.MemoryStore;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BoxOfficeTest {

    // tag::mem[]
    @Test
    void sellOne_twoOfficesAndOneTicket_sellsItOnce() throws InterruptedException {
        try (Coordinator here = Coordinator.connect("mem:tickets");
                Coordinator there = Coordinator.connect("mem:tickets")) {
            here.records("stock").put("tickets", "1".getBytes(UTF_8));
            assertTrue(BoxOffice.sellOne(here));
            assertFalse(BoxOffice.sellOne(there));
        }
    }
    // end::mem[]

    // tag::lost[]
    @Test
    void hold_sessionExpires_isLost() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect("mem:lost");
                Hold hold = baton.lock("stock").acquire()) {
            CountDownLatch lost = new CountDownLatch(1);
            hold.onLost(lost::countDown);

            MemoryStore.named("lost").expireSessions(); // as if this process had been silent for too long

            assertTrue(lost.await(30, TimeUnit.SECONDS));
            assertEquals(HoldState.LOST, hold.state());
        }
    }
    // end::lost[]
}
