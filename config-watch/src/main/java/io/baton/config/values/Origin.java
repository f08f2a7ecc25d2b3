package io.baton.config.values;

/**
 * Where something was written.
 *
 * @param layer {@code override}, {@code store}, {@code environment}, {@code file} or {@code defaults}
 * @param source the store's key, the variable's name, or the file's path
 * @param revision of the store's key; 0 elsewhere
 * @param line within a document, from 1; 0 if unknown
 * @param column within the line, from 1; 0 if unknown
 * @param secret whether all of it is marked secret
 */
record Origin(String layer, String source, long revision, int line, int column, boolean secret) {

    static Origin of(String layer, String source) {
        return new Origin(layer, source, 0, 0, 0, false);
    }

    Origin at(int atLine, int atColumn) {
        return new Origin(layer, source, revision, Math.max(0, atLine), Math.max(0, atColumn), secret);
    }

    /** Omits the layer. */
    String place() {
        String where = revision == 0 ? source : source + " @" + revision;
        return line == 0 ? where : where + ", line " + line + (column == 0 ? "" : ", column " + column);
    }

    /** Returns a text for the end of a reason. */
    @Override
    public String toString() {
        return "(" + layer + ": " + place() + ")";
    }
}
