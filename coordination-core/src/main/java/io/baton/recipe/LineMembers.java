package io.baton.recipe;

import java.util.List;

/**
 * What is known of the members of a line.
 *
 * @param members in the order in which their entries joined
 * @param current false before the first reading, and from a break of contact until the line has been read again: the
 *     members may have changed meanwhile
 */
public record LineMembers(List<LineMember> members, boolean current) {}
