package io.baton.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.baton.Coordinator;
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
}
