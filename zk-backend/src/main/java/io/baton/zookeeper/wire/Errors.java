package io.baton.zookeeper.wire;

import io.baton.CoordinationException;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** The exceptions for requests that the server has refused. */
public final class Errors {

    private Errors() {}

    /** Whether the server will refuse again until its nodes or ACLs change. */
    public static boolean refuses(Code code) {
        return switch (code) {
            case NOAUTH, INVALIDACL, NOTEMPTY, BADARGUMENTS, UNIMPLEMENTED -> true;
            default -> false;
        };
    }

    /**
     * Whether to send the request again: it was not answered, or a busy server refused it without effect. In the second
     * case no disconnect follows.
     */
    public static boolean passes(Code code) {
        return code == Code.CONNECTIONLOSS || code == Code.THROTTLEDOP;
    }

    public static CoordinationException of(String what, Code code, String path) {
        KeeperException cause = KeeperException.create(code, path);
        String said = what + ": ZooKeeper says " + cause.getMessage() + hint(code);
        if (code == Code.SESSIONEXPIRED) {
            return new SessionLostException(said, cause);
        }
        return code == Code.QUOTAEXCEEDED || code == Code.THROTTLEDOP
                ? new StoreUnavailableException(said + "; nothing was applied", cause)
                : new CoordinationException(said, cause);
    }

    /** Returns what may be the cause, to follow the server's answer; empty if that says all. */
    public static String hint(Code code) {
        return switch (code) {
            case NOAUTH -> "; this client's credentials are missing or wrong, or the ACL there does not let them";
            case NOTEMPTY -> "; something that is not Baton's lies below it";
            case QUOTAEXCEEDED -> "; the server's quota is used up";
            case SESSIONCLOSEDREQUIRESASLAUTH ->
                "; the servers close connections of clients that have not authenticated by a scheme they ask for"
                        + " (enforce.auth.schemes), and this client's credentials are missing or of another scheme";
            case THROTTLEDOP -> "; try again later";
            default -> "";
        };
    }
}
