package io.baton.config.values;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The secret texts at a path and below, to be removed from others' messages. */
final class SecretTexts {

    private final SecretPaths secrets;
    private final Branch root = new Branch();

    /** Texts with a common beginning, by their next character. */
    private static final class Branch {

        private final Map<Character, Branch> next = new HashMap<>();
        private boolean end;
    }

    SecretTexts(SecretPaths secrets) {
        this.secrets = secrets;
    }

    /** Adds those of this position. */
    void add(LayeredValue at) {
        add(at, false);
    }

    private void add(LayeredValue at, boolean within) {
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
                add(LayeredValue.of(KeyNames.item(at.path(), index++), List.of(item)), secret);
            }
        } else if (value == null) {
            at.children(false).values().forEach(child -> add(child, secret));
        }
    }

    /** Adds the text as it is, line by line, and URL-encoded. */
    private void add(String text) {
        addUnlessBlank(text);
        addUnlessBlank(text.strip());
        text.lines().forEach(line -> addUnlessBlank(line.strip()));
        addUnlessBlank(URLEncoder.encode(text, StandardCharsets.UTF_8));
    }

    private void addUnlessBlank(String text) {
        if (!text.isBlank()) {
            Branch branch = root;
            for (int i = 0; i < text.length(); i++) {
                branch = branch.next.computeIfAbsent(text.charAt(i), first -> new Branch());
            }
            branch.end = true;
        }
    }

    /** Replaces them in the message. */
    String without(String message) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < message.length(); ) {
            int end = end(message, i);
            if (end > i) {
                out.append(ValueTexts.SECRET);
                i = end;
            } else {
                out.append(message.charAt(i++));
            }
        }
        return out.toString();
    }

    /** Returns the end of the longest one that begins here; {@code begin} if there is none. */
    private int end(String message, int begin) {
        int end = begin;
        Branch branch = root;
        for (int i = begin; i < message.length(); i++) {
            branch = branch.next.get(message.charAt(i));
            if (branch == null) {
                break;
            }
            end = branch.end ? i + 1 : end;
        }
        return end;
    }
}
