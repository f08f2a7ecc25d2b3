package io.baton.examples;

import io.baton.Coordinator;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Sends reminders in one of several processes; the others leave it at that. */
final class Reminders {

    private Reminders() {}

    /** How a reminder is sent. */
    interface Mail {

        /** Sends it. */
        void send(String customer) throws IOException;
    }

    /** Sends those that are due; false if another process is at it. */
    static boolean send(Coordinator baton, List<String> due, Mail mail) throws InterruptedException, IOException {
        // tag::try[]
        boolean sent = baton.lock("reminders").runIfAcquired(Duration.ofSeconds(5), hold -> {
            for (String customer : due) {
                hold.ensureValid(Duration.ofSeconds(1)); // throws unless that much time is certain
                mail.send(customer);
            }
        }); // released, however that ended; false if others have had the lock for all of the 5 seconds
        // end::try[]
        return sent;
    }
}
