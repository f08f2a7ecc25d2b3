package io.baton.chaos.client;

import io.baton.Telemetry;
import io.baton.chaos.history.EventKind;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Notes when each lock of a multi-lock is granted and goes: its contender has it only once all of them are granted. */
final class PartNotes implements Telemetry {

    private record Taken(String lock, long token) {}

    private final Notes notes;
    private final Set<Taken> held = ConcurrentHashMap.newKeySet();
    private volatile String ask = "";
    private volatile List<String> wanted = List.of();

    PartNotes(Notes notes) {
        this.notes = notes;
    }

    /** The contender asks for these from now on. */
    void asking(String its, List<String> names) {
        ask = its;
        wanted = names.size() > 1 ? List.copyOf(names) : List.of();
    }

    @Override
    public void granted(Granted event) {
        Taken part = new Taken(event.lock(), event.token());
        if (wanted.contains(part.lock()) && held.add(part)) {
            notes.note(EventKind.TAKEN, "ask", ask, "lock", part.lock(), "token", part.token());
        }
    }

    @Override
    public void released(Released event) {
        gone(event.lock(), event.token());
    }

    @Override
    public void lost(Lost event) {
        gone(event.lock(), event.token());
    }

    private void gone(String lock, long token) {
        if (held.remove(new Taken(lock, token))) {
            notes.note(EventKind.GONE, "lock", lock, "token", token);
        }
    }
}
