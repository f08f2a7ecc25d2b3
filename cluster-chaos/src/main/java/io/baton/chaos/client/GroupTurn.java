package io.baton.chaos.client;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Subscription;
import io.baton.chaos.history.EventKind;
import io.baton.recipes.Group;
import io.baton.recipes.GroupMembership;
import java.util.Random;

/** Is a member of a group, looks at itself and at all members, and says something else of itself now and then; a few go and come. */
final class GroupTurn implements RecipeTurn {

    private static final int ONE_UPDATES_OF = 10;
    private static final int ONE_GOES_OF = 40;

    private final Notes notes;
    private final Random random;
    private final Group group;
    private GroupMembership me;
    private Subscription losses;

    GroupTurn(Coordinator baton, Notes notes, Random random) {
        this.notes = notes;
        this.random = random;
        this.group = Group.named(baton, RecipeNames.GROUP);
        this.me = group.join("new");
        this.losses = noteLosses();
    }

    private Subscription noteLosses() {
        GroupMembership membership = me;
        return membership.onLost(why -> notes.outOfGroup(membership));
    }

    @Override
    public void play() throws InterruptedException {
        notes.looked(me);
        long asked = System.nanoTime();
        try {
            String members = String.join(",", group.members().ids());
            notes.note(EventKind.SAW_MEMBERS, "members", members, "asked", asked);
        } catch (CoordinationException notNow) {
            // Nothing was seen.
        }
        notes.looked(me);
        if (random.nextInt(ONE_UPDATES_OF) == 0) {
            me.update("at " + asked);
        }
        if (random.nextInt(ONE_GOES_OF) == 0) {
            goAndCome();
        }
    }

    private void goAndCome() {
        notes.outOfGroup(me);
        losses.close();
        me.close();
        me = group.join("again");
        losses = noteLosses();
    }
}
