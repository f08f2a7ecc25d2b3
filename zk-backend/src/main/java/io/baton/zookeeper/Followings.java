package io.baton.zookeeper;

import io.baton.zookeeper.wire.ZkWire.Change;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The lines that this session has recently stood in, with the state of following each. */
final class Followings {

    private static final int MANY = 64;

    private final ZkSession session;
    // The one stood in longest ago comes first.
    private final Map<String, Following> lines = new LinkedHashMap<>();

    Followings(ZkSession session) {
        this.session = session;
    }

    /** Returns the line at this path, in which a place is about to stand, and adds it if needed. */
    Following of(String path) {
        Following known = lines.remove(path);
        Following line = known == null ? new Following(session, path) : known;
        lines.put(path, line);
        if (known == null) {
            forgetSome();
        }
        return line;
    }

    /** Returns the line at this path if this session has recently stood in it; null otherwise. */
    @Nullable
    Following known(String path) {
        return lines.get(path);
    }

    void changed(String path, Change change) {
        if (change != Change.DELETED || lines.isEmpty()) {
            return;
        }
        int slash = path.lastIndexOf('/');
        Following line = lines.get(path.substring(0, slash));
        if (line != null) {
            line.removed(path.substring(slash + 1));
        }
        Following itself = lines.get(path);
        if (itself != null) {
            itself.gap();
        }
    }

    /** Whether no following uses a watch on the line at this path, so that observers may remove theirs. */
    boolean isUnfollowed(String path) {
        Following line = lines.get(path);
        return line == null || line.isOff();
    }

    /** The contact broke. */
    void disconnected() {
        List.copyOf(lines.values()).forEach(Following::gap);
    }

    /** A line that is dropped is listed by the places that wait in it: not within the join that has led here. */
    private void forgetSome() {
        Iterator<Following> oldestFirst = lines.values().iterator();
        for (int tooMany = lines.size() - MANY; tooMany > 0; tooMany--) {
            Following oldest = oldestFirst.next();
            if (oldest.isOff()) {
                oldestFirst.remove();
            } else {
                session.loop().execute(oldest::stop);
            }
        }
    }
}
