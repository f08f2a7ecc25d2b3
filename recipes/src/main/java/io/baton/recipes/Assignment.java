package io.baton.recipes;

import com.google.common.hash.Hashing;
import io.baton.CheckReturnValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which member of a group owns which partition, by rendezvous hashing. It is computed from the members' names alone, so
 * all processes that know the same members get the same result, on all machines and in all versions.
 *
 * <pre>{@code
 * Assignment now = Assignment.of(List.of("a", "b", "c"), 256);
 * now.partitionsOf("a").forEach(this::serve);
 * }</pre>
 *
 * <p><b>Guarantees.</b> If a member goes, only its partitions move. If one comes, only those move that it gets. The
 * number of partitions of a member is near {@code partitions / members}, and varies by about its square root.
 *
 * <p><b>Not guaranteed.</b> Processes may know different members for a while, and then two of them own a partition. A
 * lock for each partition prevents that.
 *
 * <p><b>The hash.</b> A partition belongs to the member with the highest score: the first 8 bytes of MurmurHash3 (x64,
 * 128 bits, seed 0) of the member's name in UTF-8 and the partition in 4 little-endian bytes, as an unsigned
 * little-endian number. Of equal scores, the first member in the order of {@link String#compareTo} wins.
 *
 * <p><b>Cost.</b> One hash for each member and partition; no request. Immutable; any thread may use it.
 */
public final class Assignment {

    private final List<String> owners;
    private final SortedMap<String, List<Integer>> partitions;

    private Assignment(List<String> owners, SortedMap<String, List<Integer>> partitions) {
        this.owners = owners;
        this.partitions = partitions;
    }

    /**
     * Assigns the partitions {@code 0} to {@code partitions - 1} to these members.
     *
     * @param members their names, in any order
     * @throws IllegalArgumentException if there is no member, one occurs twice, or there is no partition
     */
    @CheckReturnValue
    public static Assignment of(Collection<String> members, int partitions) {
        if (partitions < 1) {
            throw new IllegalArgumentException("an assignment needs at least one partition, not " + partitions);
        }
        SortedMap<String, List<Integer>> byMember = new TreeMap<>();
        for (String member : members) {
            if (byMember.put(member, new ArrayList<>()) != null) {
                throw new IllegalArgumentException(
                        "member '" + member + "' occurs twice; each needs a name of its own");
            }
        }
        if (byMember.isEmpty()) {
            throw new IllegalArgumentException("an assignment needs at least one member");
        }
        List<String> owners = new ArrayList<>(partitions);
        for (int partition = 0; partition < partitions; partition++) {
            String owner = owner(byMember, partition);
            owners.add(owner);
            byMember.computeIfAbsent(owner, member -> new ArrayList<>()).add(partition);
        }
        byMember.replaceAll((member, its) -> List.copyOf(its));
        return new Assignment(List.copyOf(owners), Collections.unmodifiableSortedMap(byMember));
    }

    private static String owner(SortedMap<String, List<Integer>> members, int partition) {
        String best = members.firstKey();
        long highest = score(best, partition);
        for (String member : members.keySet()) {
            long score = score(member, partition);
            if (Long.compareUnsigned(score, highest) > 0) {
                best = member;
                highest = score;
            }
        }
        return best;
    }

    private static long score(String member, int partition) {
        return Hashing.murmur3_128()
                .newHasher()
                .putString(member, StandardCharsets.UTF_8)
                .putInt(partition)
                .hash()
                .asLong();
    }

    /** Returns the members, sorted by name. */
    public List<String> members() {
        return List.copyOf(partitions.keySet());
    }

    /** Returns the number of partitions. */
    public int partitions() {
        return owners.size();
    }

    /**
     * Returns the owner of a partition.
     *
     * @throws IllegalArgumentException if there is no such partition
     */
    public String ownerOf(int partition) {
        if (partition < 0 || partition >= owners.size()) {
            throw new IllegalArgumentException(
                    "there is no partition " + partition + "; they are 0 to " + (owners.size() - 1));
        }
        return owners.get(partition);
    }

    /** Returns the partitions of a member, in order; empty if it has none, or is none of the members. */
    public List<Integer> partitionsOf(String member) {
        return partitions.getOrDefault(member, List.of());
    }

    @Override
    public String toString() {
        return "assignment of " + owners.size() + " partitions to " + partitions.keySet();
    }
}
