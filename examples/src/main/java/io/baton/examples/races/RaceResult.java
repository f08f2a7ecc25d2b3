package io.baton.examples.races;

import java.time.Duration;
import java.util.Locale;

/**
 * What came of it.
 *
 * @param taken how much was taken
 * @param tooMuch by how much that is more than there was
 * @param purchases how many there were
 * @param elapsed how long all took
 * @param longestWait of a buyer who was not frozen
 */
record RaceResult(int taken, int tooMuch, int purchases, Duration elapsed, Duration longestWait) {

    RaceResult plus(RaceResult other) {
        return new RaceResult(
                taken + other.taken,
                tooMuch + other.tooMuch,
                purchases + other.purchases,
                elapsed.plus(other.elapsed),
                longestWait.compareTo(other.longestWait) > 0 ? longestWait : other.longestWait);
    }

    /** By how much it is wrong, in bold if it is. */
    String verdict() {
        return tooMuch == 0 ? "0" : String.format(Locale.ROOT, "**%,d**", tooMuch);
    }

    double longestWaitMillis() {
        return longestWait.toNanos() / 1e6;
    }

    double purchasesPerSecond() {
        return purchases / (elapsed.toNanos() / 1e9);
    }
}
