package io.baton.tck;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.recipes.Group;
import io.baton.recipes.GroupMembership;
import java.io.IOException;
import java.time.Duration;

/** A process of its own that is a member of a group, prints the time to live of its session, and stays until it ends. */
public final class GroupMemberProcess {

    static final String GROUP = "processes";

    private GroupMemberProcess() {}

    /** Takes the store's URI and the time to live to ask for, in milliseconds. */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        CoordinatorOptions options = CoordinatorOptions.builder()
                .ttl(Duration.ofMillis(Long.parseLong(arguments[1])))
                .connectTimeout(Duration.ofMinutes(1))
                .build();
        try (Coordinator baton = Coordinator.connect(arguments[0], options);
                GroupMembership me = Group.named(baton, GROUP).join("a process")) {
            if (me.awaitJoined(Duration.ofMinutes(1))) {
                System.out.println(baton.ttl().toMillis());
                int end = System.in.read();
                System.out.println("told to end: " + end);
            }
        }
    }
}
