package io.baton.election;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** A logger that keeps its lines, each with its level; with a plus where a stack trace belongs to it. */
public final class KeptLines extends LegacyAbstractLogger {

    private static final long serialVersionUID = 1;

    final transient List<String> lines = new ArrayList<>();

    /** All so far, oldest first. */
    public List<String> all() {
        return List.copyOf(lines);
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return "";
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level, Marker marker, String message, Object[] arguments, Throwable thrown) {
        lines.add(level + " " + MessageFormatter.basicArrayFormat(message, arguments) + (thrown == null ? "" : " +"));
    }

    @Override
    public boolean isTraceEnabled() {
        return true;
    }

    @Override
    public boolean isDebugEnabled() {
        return true;
    }

    @Override
    public boolean isInfoEnabled() {
        return true;
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }
}
