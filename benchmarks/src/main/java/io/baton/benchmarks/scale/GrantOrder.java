package io.baton.benchmarks.scale;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether locks were granted to one at a time, and in the order in which contenders joined: tokens rise in that order. */
final class GrantOrder {

    private GrantOrder() {}

    /** The first grant that should not have been there. */
    static Optional<String> violation(List<Grant> grants) {
        Map<Integer, Grant> last = new HashMap<>();
        for (Grant grant :
                grants.stream().sorted(Comparator.comparingLong(Grant::from)).toList()) {
            Grant before = last.put(grant.line(), grant);
            if (before == null) {
                continue;
            }
            if (before.token() >= grant.token()) {
                return Optional.of("out of order: token " + grant.token() + " after " + before.token());
            }
            if (before.until() > grant.from()) {
                return Optional.of("granted twice: tokens " + before.token() + " and " + grant.token());
            }
        }
        return Optional.empty();
    }
}
