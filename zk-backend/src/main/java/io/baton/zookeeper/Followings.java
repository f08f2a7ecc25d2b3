package io.baton.zookeeper;

import io.baton.zookeeper.wire.ZkWire.Change;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The lines that this session has lately stood in, each with what is known about following it. */
final class Followings {

    private static final int MANY = 64;

    private final ZkSession session;
    // The one that was asked for longest ago comes first.
    private final Map<String, Following> lines = new LinkedHashMap<>(16, 0.75f, true);

    Followings(ZkSession session) {
        this.session = session;
    }

    /** The line at this path. */
    Following of(String path) {
        Following line = lines.get(path);
        if (line == null) {
            line = new Following(session, path);
            lines.put(path, line);
            forgetSome();
        }
        return line;
    }

    /** The line at this path, if it is one that this session has lately stood in. */
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

    /** Whether the line at this path has no watch of ours, so that others may drop theirs. */
    boolean isUnfollowed(String path) {
        Following line = lines.get(path);
        return line == null || line.isOff();
    }

    /** The contact broke. */
    void disconnected() {
        List.copyOf(lines.values()).forEach(Following::gap);
    }

    private void forgetSome() {
        Iterator<Following> oldestFirst = lines.values().iterator();
        for (int tooMany = lines.size() - MANY; tooMany > 0; tooMany--) {
            Following oldest = oldestFirst.next();
            if (oldest.isOff()) {
                oldestFirst.remove();
            } else {
                oldest.stop();
            }
        }
    }
}
