package io.baton.config.values;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is said of a path itself, in contrast to what is below it. */
sealed interface Value {

    Origin origin();

    /** A text, a number, true or false. */
    final class Scalar implements Value {

        /** How it was written. */
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

        /** The first character that is no white space; a blank if there is none. */
        private static char begin(String text) {
            int at = 0;
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return at < text.length() ? text.charAt(at) : ' ';
        }

        /** A text that may stand for anything: of a variable, a property, a key of its own. */
        static Scalar loose(String text, Origin origin) {
            return new Scalar(Kind.TEXT, text, text, true, origin);
        }

        /** Of a document that tells texts from numbers. */
        static Scalar strict(Kind kind, String text, String number, Origin origin) {
            return new Scalar(kind, text, number, false, origin);
        }

        Kind kind() {
            return kind;
        }

        /** As it was written. */
        String text() {
            return text;
        }

        /** As digits, if it is a number. */
        String number() {
            return number;
        }

        /** Whether it may also stand for a list or an object. */
        boolean loose() {
            return loose;
        }

        /** Whether it may stand for an object or a list by how it begins. */
        boolean structured() {
            return begin == '{' || begin == '[';
        }

        /** Whether it may stand for an object by how it begins. */
        boolean beginsObject() {
            return begin == '{';
        }

        /** The document that it is, if {@link #structured}; parsed once. */
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

        /** Without its text, which may be secret. */
        @Override
        public String toString() {
            return kind + " " + origin;
        }
    }

    /** A list. */
    record Items(List<? extends Node> items, Origin origin) implements Value {}

    /** {@code null}: it takes away what weaker layers say. */
    record Nothing(Origin origin) implements Value {}

    /** What cannot be understood. */
    record Broken(String key, String reason, Origin origin) implements Value {

        Unbindable failure() {
            return new Unbindable(key, reason);
        }
    }
}
