package io.baton.recipes.internal;

import io.baton.Subscription;
import io.baton.recipe.LineMember;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
import io.baton.recipes.GroupMember;
import io.baton.recipes.GroupView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** The members of a group, one for each id. */
public final class GroupMembers {

    private GroupMembers() {}

    /** Returns the members of these entries. A member may have several: of an update, the newest one counts. */
    public static GroupView view(List<LineMember> entries, boolean current) {
        Map<String, GroupMember> members = new TreeMap<>();
        for (LineMember entry : entries) {
            GroupEntry.decode(entry.payload()).ifPresent(member -> members.put(member.id(), member));
        }
        return new GroupView(List.copyOf(members.values()), current);
    }

    /** Calls the listener on the loop with each state of the group that differs from the one before. */
    public static Subscription observe(RecipeContext context, Resource group, Consumer<GroupView> listener) {
        var told = new AtomicReference<GroupView>();
        return context.lines().observeMembers(group, now -> {
            GroupView view = view(now.members(), now.current());
            if (!view.equals(told.getAndSet(view))) {
                listener.accept(view);
            }
        });
    }
}
