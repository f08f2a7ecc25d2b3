package io.baton.benchmarks.scale;

/**
 * A lock was granted, and released at once.
 *
 * @param line the number of the lock
 * @param from when it was granted; {@link System#nanoTime}, which all processes of a machine share on Linux
 * @param until just before it was released
 * @param token the hold's fencing token
 */
record Grant(int line, long from, long until, long token) {

    /** As {@link #parse} reads it. */
    String words() {
        return line + " " + from + " " + until + " " + token;
    }

    static Grant parse(String words) {
        String[] word = words.split(" ", -1);
        return new Grant(
                Integer.parseInt(word[0]), Long.parseLong(word[1]), Long.parseLong(word[2]), Long.parseLong(word[3]));
    }
}
