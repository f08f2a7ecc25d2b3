package io.baton.mutations;

import org.objectweb.asm.ClassReader;

/**
 * A change of a class.
 *
 * @param type the changed class, perhaps one within the one that was asked for
 * @param file its source, by its simple name
 * @param line where
 * @param source that line
 * @param mutator what kind of change
 * @param nth which one of this kind in lines that read like this one, from 1 on
 * @param description what was done
 * @param bytes the changed class
 */
record Mutant(
        String type, String file, int line, String source, String mutator, int nth, String description, byte[] bytes) {

    /** Whether it takes a JVM of its own: a JVM loses the fields of a record that it exchanges, as JDK 17 does. */
    boolean ofRecord() {
        return isRecord(bytes);
    }

    static boolean isRecord(byte[] bytes) {
        return "java/lang/Record".equals(new ClassReader(bytes).getSuperName());
    }

    /** By what it is found again though lines have moved. */
    String key() {
        return String.join("\t", type, mutator, String.valueOf(nth), source);
    }
}
