package io.baton.config.values;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The paths of secrets, by pattern and by bound types. {@link Layers} handles marks in the store.
 *
 * <p>Grows only. Any thread.
 */
public final class SecretPaths {

    private static final Pattern ITEM = Pattern.compile("\\[(\\d+)]");

    private final Set<String> patterns = ConcurrentHashMap.newKeySet();
    private volatile List<Pattern> compiled = List.of();

    /** Starts with these patterns; {@code *} stands for anything. Case, {@code -} and {@code _} do not matter. */
    public SecretPaths(Collection<String> patterns) {
        add(patterns);
    }

    /** Starts with these patterns; {@code *} stands for anything. */
    public static SecretPaths of(String... patterns) {
        return new SecretPaths(List.of(patterns));
    }

    /** Adds these patterns. */
    public synchronized void add(Collection<String> more) {
        more.forEach(pattern -> patterns.add(KeyNames.canonical(pattern)));
        compiled = patterns.stream().map(SecretPaths::compile).toList();
    }

    /** Matches the pattern itself, and everything below. */
    private static Pattern compile(String pattern) {
        String regex = Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(regex + "(\\..*)?", Pattern.DOTALL);
    }

    /** Returns whether this path, or one that it is part of, is secret. */
    public boolean contains(String path) {
        List<Pattern> all = compiled;
        if (all.isEmpty()) {
            return false;
        }
        String canonical = ITEM.matcher(KeyNames.canonical(path)).replaceAll(".$1");
        for (Pattern pattern : all) {
            if (pattern.matcher(canonical).matches()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of patterns, which grows when some are added. */
    public int size() {
        return compiled.size();
    }

    boolean isEmpty() {
        return patterns.isEmpty();
    }

    /**
     * Returns whether something below this path is known to be secret, so that a text for all of it must not be shown.
     */
    public boolean below(String path) {
        String begin = ITEM.matcher(KeyNames.canonical(path)).replaceAll(".$1") + ".";
        return patterns.stream().anyMatch(pattern -> pattern.startsWith(begin));
    }
}
