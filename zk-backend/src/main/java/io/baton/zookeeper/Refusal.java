package io.baton.zookeeper;

import io.baton.CoordinationException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** What to tell of a request that the server has refused. */
final class Refusal {

    private Refusal() {}

    /** Whether the server will say so again until somebody has changed something. */
    static boolean refuses(Code code) {
        return switch (code) {
            case NOAUTH, INVALIDACL, NOTEMPTY, BADARGUMENTS, UNIMPLEMENTED -> true;
            default -> false;
        };
    }

    static CoordinationException of(String what, Code code, String path) {
        KeeperException cause = KeeperException.create(code, path);
        String hint = switch (code) {
            case NOAUTH -> "; this client's credentials are missing or wrong, or the ACL there does not let them";
            case NOTEMPTY -> "; something that is not Baton's lies below it";
            case QUOTAEXCEEDED -> "; the server's quota is used up";
            default -> "";
        };
        return new CoordinationException(what + ": ZooKeeper says " + cause.getMessage() + hint, cause);
    }
}
