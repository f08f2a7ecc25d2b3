package io.baton.config.values;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The variables of a path. Since {@code _} separates both names and words within a name, a variable belongs to each
 * path that its words can be read as.
 */
final class Variables implements Node {

    /** One of them, and the number of its words that the path has used. */
    private record Rest(String variable, String text, List<String> words, int used) {

        boolean complete() {
            return used == words.size();
        }

        /** Uses as many further words as make this name; returns null if none do. */
        @Nullable
        Rest after(String canonical) {
            StringBuilder name = new StringBuilder();
            for (int next = used; next < words.size() && name.length() < canonical.length(); next++) {
                name.append(words.get(next));
                if (name.toString().equals(canonical)) {
                    return new Rest(variable, text, words, next + 1);
                }
            }
            return null;
        }
    }

    private final String layer;
    private final List<Rest> rests;

    private Variables(String layer, List<Rest> rests) {
        this.layer = layer;
        this.rests = rests;
    }

    static Variables of(String layer, String prefix, Map<String, String> environment) {
        List<Rest> rests = new ArrayList<>();
        new TreeMap<>(environment).forEach((variable, text) -> {
            if (variable.startsWith(prefix)) {
                List<String> words = words(variable.substring(prefix.length()));
                if (!words.isEmpty()) {
                    rests.add(new Rest(variable, text, words, 0));
                }
            }
        });
        return new Variables(layer, rests);
    }

    private static List<String> words(String name) {
        List<String> words = new ArrayList<>();
        for (String word : name.toLowerCase(Locale.ROOT).split("_", -1)) {
            if (!word.isEmpty()) {
                words.add(word);
            }
        }
        return words;
    }

    private @Nullable Rest own() {
        for (Rest rest : rests) {
            if (rest.complete()) {
                return rest;
            }
        }
        return null;
    }

    @Override
    public @Nullable Value value() {
        Rest own = own();
        return own == null ? null : Value.Scalar.loose(own.text(), origin());
    }

    @Override
    public boolean object() {
        return false;
    }

    /** Returns single words, because the names are unknown. */
    @Override
    public Collection<String> names() {
        return namesBeside(Set.of());
    }

    /** Returns the next words of those that cannot be read as one of these names. */
    Collection<String> namesBeside(Collection<String> canonical) {
        Set<String> names = new LinkedHashSet<>();
        for (Rest rest : rests) {
            if (!rest.complete() && canonical.stream().noneMatch(name -> rest.after(name) != null)) {
                names.add(rest.words().get(rest.used()));
            }
        }
        return names;
    }

    @Override
    public @Nullable Node child(String name) {
        String canonical = KeyNames.canonical(name);
        List<Rest> below = new ArrayList<>();
        for (Rest rest : rests) {
            Rest after = rest.after(canonical);
            if (after != null) {
                below.add(after);
            }
        }
        return below.isEmpty() ? null : new Variables(layer, below);
    }

    @Override
    public Collection<String> spellings(String canonical) {
        return child(canonical) == null ? List.of() : List.of(canonical);
    }

    @Override
    public Origin origin() {
        Rest own = own();
        String name = own != null
                ? own.variable()
                : rests.isEmpty() ? "" : rests.get(0).variable();
        return Origin.of(layer, name);
    }
}
