package io.baton.config.values;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The secret texts at a path and below, to be left out of messages that others have made of them. */
final class SecretTexts {

    private final SecretPaths secrets;
    private final Set<String> texts =
            new TreeSet<>(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));

    SecretTexts(SecretPaths secrets) {
        this.secrets = secrets;
    }

    /** Those of this position, too. */
    void add(Position at) {
        add(at, false);
    }

    private void add(Position at, boolean within) {
        boolean secret = within || at.secret(secrets);
        if (secret || secrets.below(at.path())) {
            for (Node node : at.nodes()) {
                if (node.value() instanceof Value.Scalar scalar) {
                    add(scalar.text());
                }
            }
        }
        Value value = Effective.value(at);
        if (value instanceof Value.Items items) {
            int index = 0;
            for (Node item : items.items()) {
                add(Position.of(Names.item(at.path(), index++), List.of(item)), secret);
            }
        } else if (value == null) {
            at.children(false).values().forEach(child -> add(child, secret));
        }
    }

    /** As it is, line by line, and as addresses have it. */
    private void add(String text) {
        addUnlessBlank(text);
        addUnlessBlank(text.strip());
        text.lines().forEach(line -> addUnlessBlank(line.strip()));
        addUnlessBlank(URLEncoder.encode(text, StandardCharsets.UTF_8));
    }

    private void addUnlessBlank(String text) {
        if (!text.isBlank()) {
            texts.add(text);
        }
    }

    /** The message with something else in their place. */
    String without(String message) {
        if (texts.isEmpty()) {
            return message;
        }
        String any = texts.stream().map(Pattern::quote).collect(Collectors.joining("|"));
        return Pattern.compile(any).matcher(message).replaceAll(Texts.SECRET);
    }
}
