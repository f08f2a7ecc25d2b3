package io.baton.recipes;

import java.util.List;

/**
 * What is known of a group at one moment.
 *
 * @param members the members, sorted by id
 * @param current false while the store is out of reach, until the group has been read again: members may have come and
 *     gone meanwhile
 */
public record GroupView(List<GroupMember> members, boolean current) {

    /** Makes a copy of the list. */
    public GroupView {
        members = List.copyOf(members);
    }

    /** Returns the members' ids, sorted. */
    public List<String> ids() {
        return members.stream().map(GroupMember::id).toList();
    }
}
