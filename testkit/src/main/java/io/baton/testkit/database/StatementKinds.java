package io.baton.testkit.database;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names SQL statements by their verb and the first table that they name: {@code insert stock}. */
final class StatementKinds {

    private static final Pattern VERB = Pattern.compile("\\w+");
    private static final Pattern TABLE = Pattern.compile("\\b(?:from|into|update|table)\\s+(\\w+)(?![\\w(])");

    private final boolean backslashes;

    /** Names statements in whose texts a backslash makes the next character a plain one, or not. */
    StatementKinds(boolean backslashes) {
        this.backslashes = backslashes;
    }

    /** Returns the kinds of statements in this text, each once, in order. What is quoted is left out. */
    Set<String> in(String text) {
        Set<String> kinds = new LinkedHashSet<>();
        StringBuilder statement = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                if (c == '\\' && backslashes) {
                    i++;
                } else if (c == quote) {
                    quote = 0; // a doubled one begins the rest as another text
                }
            } else if (c == '\'' || c == '"' || c == '`') {
                quote = c;
            } else if (c == ';') {
                add(statement, kinds);
            } else {
                statement.append(c);
            }
        }
        add(statement, kinds);
        return kinds;
    }

    private static void add(StringBuilder statement, Set<String> kinds) {
        String text = statement.toString().toLowerCase(Locale.ROOT);
        statement.setLength(0);
        Matcher verb = VERB.matcher(text);
        if (verb.find()) {
            Matcher table = TABLE.matcher(text);
            kinds.add(verb.group() + (table.find() ? " " + table.group(1) : ""));
        }
    }
}
