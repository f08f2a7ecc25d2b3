package io.baton.chaos.check;

import io.baton.chaos.history.Event;
import io.baton.chaos.history.EventKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A reading of a group has every member that was certain to be in while it was read, and for so long before that no server
 * can be so far behind.
 */
final class MembersSeen implements Check {

    private static final int BEHIND_TIMES_TTL = 10;

    /** From when until when a member is certain to be in, by one look. */
    private record Certain(long from, long until) {}

    private final Duration behind;

    /** {@code ttl} is that of the sessions. */
    MembersSeen(Duration ttl) {
        this.behind = ttl.multipliedBy(BEHIND_TIMES_TTL);
    }

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        Map<String, List<Certain>> members = members(history.recipes().events(EventKind.MEMBER));
        for (Event view : history.recipes().events(EventKind.SAW_MEMBERS)) {
            Set<String> seen = new HashSet<>(Arrays.asList(view.text("members").split(",", -1)));
            members.forEach((member, times) -> {
                if (!seen.contains(member) && times.stream().anyMatch(certain -> covers(certain, view))) {
                    found.accept(new Violation(
                            Kind.UNSEEN_MEMBER,
                            member,
                            view.number("asked"),
                            view.nanos(),
                            view.line() + " has no " + member + ", which was in all the time"));
                }
            });
        }
    }

    private static boolean covers(Certain certain, Event view) {
        return certain.from() <= view.number("asked") && certain.until() >= view.nanos();
    }

    /** Of each member when it was certain to be in, and had been for long. */
    private Map<String, List<Certain>> members(List<Event> looks) {
        Map<String, List<Certain>> members = new HashMap<>();
        Map<String, Long> since = new HashMap<>();
        for (Event look : looks) {
            String member = look.text("member");
            List<Certain> times = members.computeIfAbsent(member, any -> new ArrayList<>());
            if (look.number("remaining") == 0) {
                since.remove(member);
                times.replaceAll(each -> new Certain(each.from(), Math.min(each.until(), look.nanos())));
            } else {
                long in = since.computeIfAbsent(member, any -> look.number("seen"));
                times.add(new Certain(
                        Math.max(look.number("seen"), in + behind.toNanos()), look.nanos() + look.number("remaining")));
            }
        }
        return members;
    }
}
