package io.baton.recipes.internal;

import io.baton.recipe.RecipeContext;
import io.baton.recipe.TextLines;
import io.baton.recipes.Group;
import io.baton.recipes.GroupMember;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** A member's entry: lines of {@code key=value}, an empty line, and what the member says of itself. */
public final class GroupEntry {

    private static final String ID = "id";
    private static final String HOST = "host";
    private static final String PID = "pid";

    private GroupEntry() {}

    /** Returns a new member of this process. */
    public static GroupMember ofThisProcess(RecipeContext context, byte[] data) {
        String id = HexFormat.of().toHexDigits(context.loop().randomLong());
        return with(
                new GroupMember(
                        id, data, context.host(), ProcessHandle.current().pid()),
                data);
    }

    /** Returns the same member with other data. */
    static GroupMember with(GroupMember member, byte[] data) {
        if (data.length > Group.MAX_DATA_BYTES) {
            throw new IllegalArgumentException("the data of a member may have " + Group.MAX_DATA_BYTES
                    + " bytes, for all observers read it; this has " + data.length);
        }
        return new GroupMember(member.id(), data.clone(), member.host(), member.pid());
    }

    static byte[] encode(GroupMember member) {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new TextLines()
                .add(ID, member.id())
                .add(HOST, member.host())
                .add(PID, Long.toString(member.pid()))
                .bytes());
        bytes.write('\n');
        bytes.writeBytes(member.data());
        return bytes.toByteArray();
    }

    /** Returns the member of an entry; empty if it is none of Baton's. */
    static Optional<GroupMember> decode(byte[] payload) {
        int end = 0;
        while (end + 1 < payload.length && !(payload[end] == '\n' && payload[end + 1] == '\n')) {
            end++;
        }
        Map<String, String> lines = TextLines.decode(Arrays.copyOf(payload, end));
        byte[] data = end + 2 <= payload.length ? Arrays.copyOfRange(payload, end + 2, payload.length) : new byte[0];
        return Optional.ofNullable(lines.get(ID))
                .map(id -> new GroupMember(
                        id, data, lines.getOrDefault(HOST, ""), TextLines.number(lines.getOrDefault(PID, ""))));
    }
}
