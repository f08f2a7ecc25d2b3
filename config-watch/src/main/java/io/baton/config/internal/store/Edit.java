package io.baton.config.internal.store;

import io.baton.config.Canary;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigException;
import io.baton.config.ConfigPreview;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.Keys;
import io.baton.config.internal.record.Space;
import io.baton.config.internal.rollout.CanaryStart;
import io.baton.config.internal.write.Commit;
import io.baton.config.internal.write.Draft;
import io.baton.config.internal.write.Parts;
import io.baton.config.internal.write.PartsCommit;
import io.baton.config.values.DocumentCheck;
import io.baton.recipe.Texts;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** A change in preparation. */
final class Edit implements ConfigEdit {

    private static final int MOST_PERCENT = 100;

    private final Space space;
    private final SortedMap<String, Optional<String>> texts = new TreeMap<>();
    /** The keys with new texts; texts of an earlier state are restored unchecked. */
    private final SortedSet<String> written = new TreeSet<>();

    private final SortedMap<String, Long> expected = new TreeMap<>();
    private final SortedSet<String> marked = new TreeSet<>();
    private final SortedSet<String> unmarked = new TreeSet<>();
    private OptionalLong after = OptionalLong.empty();
    private String author = "";
    private String comment = "";
    private Duration timeout = Duration.ofSeconds(10);
    private boolean inParts;

    Edit(Space space) {
        this.space = space;
    }

    /** Creates one that starts as this draft. */
    Edit(Space space, Draft draft) {
        this(space);
        texts.putAll(draft.texts());
        marked.addAll(draft.marked());
        after = draft.after();
        comment = draft.comment();
    }

    @Override
    public ConfigEdit put(String key, String text) {
        Keys.check(key);
        if (!Texts.isWellFormed(text)) {
            throw new ConfigException("the text of '" + key + "' is no well-formed Unicode");
        }
        texts.put(key, Optional.of(text));
        written.add(key);
        return this;
    }

    @Override
    public ConfigEdit delete(String key) {
        texts.put(Keys.check(key), Optional.empty());
        return this;
    }

    @Override
    public ConfigEdit expect(String key, long revision) {
        expected.put(Keys.check(key), revision);
        return this;
    }

    @Override
    public ConfigEdit secret(String key) {
        marked.add(Keys.check(key));
        unmarked.remove(key);
        return this;
    }

    @Override
    public ConfigEdit notSecret(String key) {
        unmarked.add(Keys.check(key));
        marked.remove(key);
        return this;
    }

    @Override
    public ConfigEdit author(String name) {
        author = Objects.requireNonNull(name, "name");
        return this;
    }

    @Override
    public ConfigEdit comment(String text) {
        comment = Objects.requireNonNull(text, "text");
        return this;
    }

    @Override
    public ConfigEdit timeout(Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("the timeout must be positive: " + value);
        }
        timeout = value;
        return this;
    }

    @Override
    public ConfigEdit inParts() {
        inParts = true;
        return this;
    }

    @Override
    public ConfigPreview preview() throws InterruptedException {
        return Await.decided(
                space.store().loop(), Parts.of(space, draft(), inParts, timeout).thenApply(Parts.Divided::preview));
    }

    @Override
    public ConfigCommit commit() throws InterruptedException {
        return Await.decided(space.store().loop(), committed());
    }

    @Override
    public CompletableFuture<ConfigCommit> commitAsync() {
        ConfigSpace store = space.store();
        return store.callbacks().completeInCallback(committed());
    }

    private CompletableFuture<ConfigCommit> committed() {
        Draft draft = draft();
        return inParts ? PartsCommit.of(space, draft, timeout) : Commit.of(space, draft, timeout);
    }

    @Override
    public Canary canary(Map<String, String> labels, int percent, Duration lasts) throws InterruptedException {
        return Await.decided(space.store().loop(), tried(labels, percent, lasts));
    }

    @Override
    public CompletableFuture<Canary> canaryAsync(Map<String, String> labels, int percent, Duration lasts) {
        return space.store().callbacks().completeInCallback(tried(labels, percent, lasts));
    }

    private CompletableFuture<Canary> tried(Map<String, String> labels, int percent, Duration lasts) {
        if (inParts) {
            throw new ConfigException("a canary is one transaction: it cannot be written in parts");
        }
        if (!unmarked.isEmpty()) {
            // Marks are in force at once, so the values that stay in use would be shown.
            throw new ConfigException("a canary takes no secret mark away, as from '" + unmarked.first()
                    + "': take the mark away with a change for all");
        }
        if (lasts.compareTo(Duration.ofMillis(1)) < 0 || lasts.compareTo(CanaryRecord.LONGEST) > 0) {
            throw new ConfigException("a canary lasts for 1 ms to 30 days, not " + lasts);
        }
        if (percent < 1 || percent > MOST_PERCENT) {
            throw new ConfigException(
                    "a canary is for 1 to " + MOST_PERCENT + " percent of the instances, not " + percent);
        }
        return CanaryStart.of(space, draft(), labels, percent, lasts, timeout);
    }

    private Draft draft() {
        written.forEach(key -> texts.getOrDefault(key, Optional.empty())
                .flatMap(text -> DocumentCheck.trouble(key, text))
                .ifPresent(reason -> {
                    throw new ConfigException(reason);
                }));
        return new Draft(
                new TreeMap<>(texts),
                new TreeMap<>(expected),
                new TreeSet<>(marked),
                new TreeSet<>(unmarked),
                after,
                Optional.empty(),
                Optional.empty(),
                author.isEmpty() ? Author.ofThisProcess(space.store()) : author,
                comment);
    }
}
