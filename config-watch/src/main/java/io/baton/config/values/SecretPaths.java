package io.baton.config.values;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which paths hold secrets: by pattern, and by the types that are bound. What the store marks secret is known to {@link Layers}.
 *
 * <p>Grows only. Any thread.
 */
public final class SecretPaths {

    private static final Pattern ITEM = Pattern.compile("\\[(\\d+)]");

    private final Set<String> patterns = ConcurrentHashMap.newKeySet();
    private volatile List<Pattern> compiled = List.of();

    /** These patterns to begin with; {@code *} stands for anything. Case, {@code -} and {@code _} do not matter. */
    public SecretPaths(Collection<String> patterns) {
        add(patterns);
    }

    /** These patterns to begin with; {@code *} stands for anything. */
    public static SecretPaths of(String... patterns) {
        return new SecretPaths(List.of(patterns));
    }

    /** From now on these, too. */
    public synchronized void add(Collection<String> more) {
        more.forEach(pattern -> patterns.add(KeyNames.canonical(pattern)));
        compiled = patterns.stream().map(SecretPaths::compile).toList();
    }

    /** The pattern itself, and whatever is below. */
    private static Pattern compile(String pattern) {
        String regex = Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(regex + "(\\..*)?", Pattern.DOTALL);
    }

    /** Whether what is at this path, or what it is part of, is secret. */
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

    /** How many patterns there are: more, if some were added. */
    public int size() {
        return compiled.size();
    }

    boolean isEmpty() {
        return patterns.isEmpty();
    }

    /** Whether something below this path is known to be secret: then a text that stands for all of it is not shown. */
    public boolean below(String path) {
        String begin = ITEM.matcher(KeyNames.canonical(path)).replaceAll(".$1") + ".";
        return patterns.stream().anyMatch(pattern -> pattern.startsWith(begin));
    }
}
