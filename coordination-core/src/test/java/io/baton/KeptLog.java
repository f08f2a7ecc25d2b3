package io.baton;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;

/** A logger that keeps what it is given. Any thread. */
public final class KeptLog extends AbstractLogger implements LoggingEventAware {

    private static final long serialVersionUID = 1;

    final transient List<LoggingEvent> events = new CopyOnWriteArrayList<>();
    private final transient List<String> lines = new CopyOnWriteArrayList<>();
    private final transient List<Throwable> thrown = new CopyOnWriteArrayList<>();
    boolean on = true;

    /** What was not given by the fluent interface, each with its level. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** What was given with lines, in their order. */
    public List<Throwable> thrown() {
        return List.copyOf(thrown);
    }

    @Override
    public void log(LoggingEvent event) {
        events.add(event);
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return "";
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level, Marker marker, String message, Object[] arguments, Throwable thrown) {
        if (thrown != null) {
            this.thrown.add(thrown);
        }
        lines.add(level + " " + MessageFormatter.basicArrayFormat(message, arguments));
    }

    @Override
    public boolean isTraceEnabled() {
        return on;
    }

    @Override
    public boolean isTraceEnabled(Marker marker) {
        return on;
    }

    @Override
    public boolean isDebugEnabled() {
        return on;
    }

    @Override
    public boolean isDebugEnabled(Marker marker) {
        return on;
    }

    @Override
    public boolean isInfoEnabled() {
        return on;
    }

    @Override
    public boolean isInfoEnabled(Marker marker) {
        return on;
    }

    @Override
    public boolean isWarnEnabled() {
        return on;
    }

    @Override
    public boolean isWarnEnabled(Marker marker) {
        return on;
    }

    @Override
    public boolean isErrorEnabled() {
        return on;
    }

    @Override
    public boolean isErrorEnabled(Marker marker) {
        return on;
    }
}
