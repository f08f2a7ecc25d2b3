package io.baton.config.values;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The value of a path itself, in contrast to those below it. */
sealed interface Value {

    Origin origin();

    /** A text, a number, true or false. */
    final class Scalar implements Value {

        /** The notation. */
        enum Kind {
            TEXT,
            NUMBER,
            BOOLEAN
        }

        private final Kind kind;
        private final String text;
        private final String number;
        private final boolean loose;
        private final char begin;
        private final Origin origin;
        private volatile @Nullable DocumentTree structure;

        private Scalar(Kind kind, String text, String number, boolean loose, Origin origin) {
            this.kind = kind;
            this.text = text;
            this.number = number;
            this.loose = loose;
            this.begin = loose ? begin(text) : ' ';
            this.origin = origin;
        }

        /** Returns the first character that is not white space; a blank if there is none. */
        private static char begin(String text) {
            int at = 0;
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return at < text.length() ? text.charAt(at) : ' ';
        }

        /** Creates a text that may stand for anything, from a variable, a property, or a single key. */
        static Scalar loose(String text, Origin origin) {
            return new Scalar(Kind.TEXT, text, text, true, origin);
        }

        /** Creates a scalar of a document that distinguishes texts from numbers. */
        static Scalar strict(Kind kind, String text, String number, Origin origin) {
            return new Scalar(kind, text, number, false, origin);
        }

        Kind kind() {
            return kind;
        }

        /** Returns the text as written. */
        String text() {
            return text;
        }

        /** Returns the digits, if it is a number. */
        String number() {
            return number;
        }

        /** Returns whether it may also stand for a list or an object. */
        boolean loose() {
            return loose;
        }

        /** Returns whether its first character may begin an object or a list. */
        boolean structured() {
            return begin == '{' || begin == '[';
        }

        /** Returns whether its first character may begin an object. */
        boolean beginsObject() {
            return begin == '{';
        }

        /** Returns its document, if {@link #structured}; parsed once. */
        DocumentTree structure() {
            DocumentTree known = structure;
            if (known == null) {
                known = Documents.structure(this);
                structure = known;
            }
            return known;
        }

        @Override
        public Origin origin() {
            return origin;
        }

        /** Omits its text, which may be secret. */
        @Override
        public String toString() {
            return kind + " " + origin;
        }
    }

    /** A list. */
    record Items(List<? extends Node> items, Origin origin) implements Value {}

    /** {@code null}: it removes the values of weaker layers. */
    record Nothing(Origin origin) implements Value {}

    /** A text that cannot be parsed. */
    record Broken(String key, String reason, Origin origin) implements Value {

        Unbindable failure() {
            return new Unbindable(key, reason);
        }
    }
}
