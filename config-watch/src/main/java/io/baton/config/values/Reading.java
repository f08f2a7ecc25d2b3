package io.baton.config.values;

import io.baton.config.UnknownFields;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One attempt to make a value. It collects all problems, so that they can be fixed at once. */
final class Reading {

    private static final int MOST_TOLD = 5;
    private static final int MOST_SHOWN = 60;

    private final SecretPaths secrets;
    private final UnknownFields unknown;
    private final BiConsumer<String, String> warnings;
    private final List<Unbindable> problems = new ArrayList<>();
    private final Set<Shape> byDefaults = new HashSet<>();

    /**
     * Starts an attempt.
     *
     * @param warnings receives a path and a warning about it
     */
    Reading(SecretPaths secrets, UnknownFields unknown, BiConsumer<String, String> warnings) {
        this.secrets = secrets;
        this.unknown = unknown;
        this.warnings = warnings;
    }

    SecretPaths secrets() {
        return secrets;
    }

    int problems() {
        return problems.size();
    }

    void problem(String key, String reason) {
        problems.add(new Unbindable(key, reason));
    }

    void problem(Value.Broken broken) {
        problem(broken.key(), broken.reason());
    }

    void missing(LayeredValue at) {
        problem(at.path(), named(at) + " is missing");
    }

    /** Returns the name of a position for the beginning of a reason. */
    static String named(LayeredValue at) {
        return at.path().isEmpty() ? "the configuration" : at.path();
    }

    /** Notes a value of the wrong kind. */
    void wrong(LayeredValue at, String expected, String found, Origin origin) {
        problem(at.path(), named(at) + " must be " + expected + ", not " + found + " " + origin);
    }

    /** Notes an invalid scalar, with its text unless that is secret. */
    void wrong(LayeredValue at, String expected, Value.Scalar found) {
        Optional<String> shown = shown(at, found);
        problem(
                at.path(),
                named(at) + " must be " + expected
                        + shown.map(text -> ", not " + text).orElse("") + " " + found.origin());
    }

    private Optional<String> shown(LayeredValue at, Value.Scalar scalar) {
        if (at.secret(secrets) || secrets.below(at.path())) {
            return Optional.empty();
        }
        if (scalar.structured()) {
            return Optional.of(scalar.beginsObject() ? "an object" : "a list");
        }
        return Optional.of(quoted(scalar));
    }

    private static String quoted(Value.Scalar scalar) {
        if (scalar.text().isEmpty()) {
            return "an empty text";
        }
        String text = bounded(scalar.text());
        return scalar.kind() == Value.Scalar.Kind.TEXT ? "'" + text + "'" : text;
    }

    /** Returns one line of limited length. */
    static String bounded(String text) {
        String begin = text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
        return begin.replaceAll("\\p{Cntrl}", " ");
    }

    /**
     * Returns the parts of an object.
     *
     * @return null if there is no object, or a problem was noted
     */
    @Nullable
    LayeredValue objects(LayeredValue at) {
        List<Node> parts = new ArrayList<>();
        for (Node node : at.nodes()) {
            Value value = node.value();
            if (value instanceof Value.Nothing) {
                break;
            }
            if (value != null && !beginsObject(value)) {
                refuse(at, node, value);
                return null;
            }
            parts.add(node);
        }
        LayeredValue objects = LayeredValue.exactly(at.path(), parts);
        boolean there =
                parts.stream().anyMatch(node -> node.object() || !node.names().isEmpty());
        return there ? objects : null;
    }

    /** The object itself follows as a separate node. */
    private static boolean beginsObject(Value value) {
        return value instanceof Value.Scalar scalar && scalar.beginsObject();
    }

    private void refuse(LayeredValue at, Node node, Value value) {
        if (value instanceof Value.Broken broken) {
            problem(broken);
        } else if (value instanceof Value.Items || ((Value.Scalar) value).structured()) {
            wrong(at, "an object", "a list", value.origin());
        } else if (node.names().isEmpty()) {
            wrong(at, "an object", "a text", value.origin());
        } else {
            String below = KeyNames.join(at.path(), node.names().iterator().next());
            problem(
                    at.path(),
                    named(at) + " is both a text and the beginning of " + KeyNames.shown(below) + " " + value.origin());
        }
    }

    /**
     * Notes names for which a type has no field. Unknown variables never cause a rejection, because other programs set
     * them too.
     */
    void unknown(LayeredValue at, Collection<String> known, Set<String> canonical) {
        if (unknown == UnknownFields.IGNORE) {
            return;
        }
        for (Node node : at.nodes()) {
            boolean variables = node instanceof Variables;
            for (String name :
                    node instanceof Variables each ? each.namesBeside(canonical) : List.copyOf(node.names())) {
                if (canonical.contains(KeyNames.canonical(name))) {
                    continue;
                }
                String reason = unknown(at, node, name, known);
                if (unknown == UnknownFields.REJECT && !variables) {
                    problem(at.path(), reason);
                } else {
                    warnings.accept(KeyNames.join(at.path(), name), reason);
                }
            }
        }
    }

    private static String unknown(LayeredValue at, Node node, String name, Collection<String> known) {
        Node child = node.child(name);
        Origin origin = child == null ? node.origin() : child.origin();
        if (origin.secret()) {
            return named(at) + " has a name that is unknown " + origin;
        }
        String meant = KeyNames.nearest(name, known)
                .map(near -> "; did you mean " + near + "?")
                .orElse("");
        return KeyNames.join(at.path(), KeyNames.shown(name)) + " is unknown" + meant + " " + origin;
    }

    /** Notes an exception of a type's own code, whose message may contain its arguments. */
    void refusedByType(LayeredValue at, Class<?> type, Throwable thrown, boolean secretWithin) {
        String message = secretWithin || thrown.getMessage() == null
                ? thrown.getClass().getSimpleName()
                : bounded(thrown.getMessage());
        problem(at.path(), named(at) + " is refused by " + type.getSimpleName() + ": " + message);
    }

    /** Returns whether anything at a position or below is secret. */
    boolean secretWithin(LayeredValue at) {
        return at.secret(secrets)
                || secrets.below(at.path())
                || Effective.leaves(at, secrets).values().stream().anyMatch(Effective.Leaf::secret);
    }

    /** Returns false if this type's defaults are being made already, because it contains itself. */
    boolean enterDefaults(Shape shape) {
        return byDefaults.add(shape);
    }

    void leaveDefaults(Shape shape) {
        byDefaults.remove(shape);
    }

    /** Throws if problems were noted. */
    void end() {
        if (!problems.isEmpty()) {
            throw new Unbindable(problems.get(0).key(), reasons());
        }
    }

    /** Returns the first problems. */
    String reasons() {
        String reasons = problems.stream()
                .map(Unbindable::reason)
                .distinct()
                .limit(MOST_TOLD)
                .collect(Collectors.joining("; "));
        long more = problems.stream().map(Unbindable::reason).distinct().count() - MOST_TOLD;
        return more > 0 ? reasons + "; and " + more + " more" : reasons;
    }
}
