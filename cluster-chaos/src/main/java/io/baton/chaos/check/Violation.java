package io.baton.chaos.check;

/**
 * Something that must not happen, and did.
 *
 * @param lock which lock's history tells of it; empty where no particular one's does
 * @param from when it began
 * @param to when it ended
 */
public record Violation(Kind kind, String lock, long from, long to, String message) {

    @Override
    public String toString() {
        return kind + ": " + message;
    }
}
