package io.baton.etcd;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The lines that this session has recently used, with the state of following each. */
final class Followings {

    private static final int MANY = 64;

    private final EtcdContext session;
    // The least recently used one comes first.
    private final Map<String, Following> lines = new LinkedHashMap<>(16, 0.75f, true);

    Followings(EtcdContext session) {
        this.session = session;
    }

    /** Returns the line with this key prefix, and adds it if needed. */
    Following of(String prefix) {
        Following line = lines.get(prefix);
        if (line == null) {
            line = new Following(session, prefix);
            lines.put(prefix, line);
            forgetSome();
        }
        return line;
    }

    private void forgetSome() {
        var oldest = new ArrayList<Following>();
        Iterator<Following> oldestFirst = lines.values().iterator();
        for (int tooMany = lines.size() - MANY; tooMany > 0; tooMany--) {
            oldest.add(oldestFirst.next());
            oldestFirst.remove();
        }
        oldest.forEach(Following::stop);
    }
}
