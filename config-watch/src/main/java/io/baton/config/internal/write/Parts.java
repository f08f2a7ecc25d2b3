package io.baton.config.internal.write;

import io.baton.config.ConfigPreview;
import io.baton.config.KeyChange;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.HistoryRecord;
import io.baton.config.internal.record.Ids;
import io.baton.config.internal.record.RetryLoop;
import io.baton.config.internal.record.Space;
import io.baton.config.internal.record.SpaceHead;
import io.baton.config.internal.record.SpaceRead;
import io.baton.recipe.Futures;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Divides a change into parts that each fit into a transaction. Keys are in order, so repeating a partly written change
 * writes only the rest. If a checksum shows no other write in between, the parts continue the earlier id and numbers.
 * On the loop.
 */
public final class Parts implements RetryLoop.Attempt {

    private final Space space;
    private final ConfigSpace store;
    private final Draft draft;
    private final boolean divisible;
    private final RetryLoop<Divided> tries;

    /**
     * The divided change.
     *
     * @param drafts one for each transaction, in order; none if there is nothing to write
     * @param keys the keys that it changes, marks or unmarks
     */
    public record Divided(List<Draft> drafts, SortedMap<String, HistoryRecord.Key> keys) {

        public ConfigPreview preview() {
            List<KeyChange> changes = new ArrayList<>();
            keys.forEach((key, what) -> changes.add(what.change(key, false)));
            return new ConfigPreview(List.copyOf(changes), drafts.size());
        }
    }

    private Parts(Space space, Draft draft, boolean divisible, Duration timeout) {
        this.space = space;
        this.store = space.store();
        this.draft = draft;
        this.divisible = divisible;
        this.tries = new RetryLoop<>(store, timeout);
    }

    /**
     * Divides it by the present state, within this time. Any thread; completes on the loop.
     *
     * @param divisible whether several parts are allowed; if not, a change beyond one transaction is refused
     */
    public static CompletableFuture<Divided> of(Space space, Draft draft, boolean divisible, Duration timeout) {
        Parts parts = new Parts(space, draft, divisible, timeout);
        return parts.tries.of(parts);
    }

    /** Nothing is written. */
    @Override
    public String unknown() {
        return "";
    }

    @Override
    public void begin() {
        Futures.onDone(
                space.read(draft.keys())
                        .thenCompose(present -> last(present.head()).thenApply(last -> divided(present, last))),
                (divided, failure) -> {
                    if (failure != null) {
                        tries.failed(this, failure, this::begin);
                    } else {
                        tries.complete(divided);
                    }
                });
    }

    /** Returns the part that was written last, if more were to follow. */
    private CompletableFuture<Optional<HistoryRecord.Part>> last(SpaceHead head) {
        return space.history(head.change())
                .thenApply(Space::parsed)
                .thenApply(record -> record.map(HistoryRecord::part).filter(part -> !part.last()));
    }

    private Divided divided(SpaceRead present, Optional<HistoryRecord.Part> last) {
        SortedMap<String, HistoryRecord.Key> keys = Plan.keys(draft, present);
        Sizes sizes = Plan.sizes(draft, present, keys, store.guarantees());
        if (keys.isEmpty()) {
            return new Divided(List.of(), keys);
        }
        if (!divisible) {
            sizes.check(keys);
            return new Divided(List.of(draft), keys);
        }
        List<SortedSet<String>> parts = sizes.parts(keys);
        List<String> sums = sums(parts, keys);
        Optional<HistoryRecord.Part> before = last.filter(part -> sums.get(0).equals(part.rest()));
        return parts.size() == 1 && before.isEmpty()
                ? new Divided(List.of(draft), keys)
                : new Divided(drafts(parts, sums, keys.keySet(), before), keys);
    }

    private List<Draft> drafts(
            List<SortedSet<String>> parts, List<String> sums, Set<String> all, Optional<HistoryRecord.Part> before) {
        String of = before.map(HistoryRecord.Part::of).orElseGet(() -> Ids.next(store.loop()));
        int written = before.map(HistoryRecord.Part::number).orElse(0);
        Set<String> also = new TreeSet<>(draft.expected().keySet());
        also.removeAll(all);
        List<Draft> drafts = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            String rest = i + 1 < parts.size() ? sums.get(i + 1) : null;
            var which = new HistoryRecord.Part(of, written + i + 1, written + parts.size(), rest);
            drafts.add(draft.part(parts.get(i), i == 0 ? also : Set.of(), which));
        }
        return drafts;
    }

    /**
     * Returns for each part a checksum of it and all following keys, however they are divided. It chains each key with
     * the checksum of the keys behind it.
     */
    private static List<String> sums(List<SortedSet<String>> parts, SortedMap<String, HistoryRecord.Key> keys) {
        List<String> sums = new ArrayList<>();
        MessageDigest digest = sha256();
        byte[] behind = {};
        for (int i = parts.size() - 1; i >= 0; i--) {
            List<String> backwards = new ArrayList<>(parts.get(i));
            Collections.reverse(backwards);
            for (String key : backwards) {
                HistoryRecord.Key what = Objects.requireNonNull(keys.get(key));
                add(digest, key);
                add(digest, what.now());
                digest.update((byte) (what.secret() ? 1 : 0));
                behind = digest.digest(behind);
            }
            sums.add(HexFormat.of().formatHex(behind));
        }
        Collections.reverse(sums);
        return sums;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    private static void add(MessageDigest digest, @Nullable String text) {
        byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES)
                .putInt(text == null ? -1 : bytes.length)
                .flip());
        digest.update(bytes);
    }
}
