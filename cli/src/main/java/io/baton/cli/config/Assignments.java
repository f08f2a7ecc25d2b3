package io.baton.cli.config;

import io.baton.cli.Failure;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys and values of a command line: {@code KEY VALUE}, or {@code KEY=VALUE...}. A value may be {@code @FILE}, or
 * {@code -} for stdin if it is the only one; {@code @@} escapes a leading {@code @}.
 *
 * <p>Error messages quote keys only, as the rest may be secret.
 */
final class Assignments {

    private Assignments() {}

    static Map<String, String> parse(List<String> args, InputStream stdin) {
        if (args.isEmpty()) {
            throw Failure.usage("say what to set: KEY VALUE, or KEY=VALUE...");
        }
        if (args.get(0).indexOf('=') > 0) {
            return pairs(args);
        }
        if (args.size() != 2) {
            throw Failure.usage("say KEY VALUE, or KEY=VALUE...: '" + args.get(0) + "' has "
                    + (args.size() == 1 ? "no value" : args.size() - 1 + " values"));
        }
        String text = args.get(1);
        return Map.of(args.get(0), text.equals("-") ? withoutLineEnd(Input.stream(stdin)) : value(args.get(0), text));
    }

    private static Map<String, String> pairs(List<String> args) {
        var all = new LinkedHashMap<String, String>();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (equals <= 0) {
                throw Failure.usage("argument " + (all.size() + 1) + " is no KEY=VALUE");
            }
            String key = arg.substring(0, equals);
            if (all.put(key, value(key, arg.substring(equals + 1))) != null) {
                throw Failure.usage("'" + key + "' is set twice");
            }
        }
        return all;
    }

    private static String value(String key, String text) {
        if (text.startsWith("@@")) {
            return text.substring(1);
        } else if (text.startsWith("@")) {
            String what = "what '" + key + "' names behind '@' ('@@' begins a value that begins with '@')";
            return withoutLineEnd(Input.file(text.substring(1), what));
        }
        return text;
    }

    /** Removes the line end of a single line, which {@code echo} and editors add; it is not part of the value. */
    private static String withoutLineEnd(String text) {
        return text.endsWith("\n") && text.indexOf('\n') == text.length() - 1
                ? text.replaceFirst("\\r?\\n$", "")
                : text;
    }
}
