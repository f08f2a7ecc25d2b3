package io.baton.etcd.inspect;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeRequest.SortOrder;
import io.etcd.jetcd.api.RangeRequest.SortTarget;

/**
 * A key prefix, and requests for its keys.
 *
 * @param text the prefix, which ends with a slash
 */
public record Prefix(String text) {

    /** Ends the range of keys below a name: the character after the slash. */
    private static final String BEHIND = "0";

    /** Returns the prefix of the keys below this name. */
    Prefix below(String name) {
        return new Prefix(text + name + "/");
    }

    /** Requests this many keys from this one on, in order, without values. */
    public RangeRequest from(String key, int most) {
        return all().setKey(ByteString.copyFromUtf8(key))
                .setKeysOnly(true)
                .setLimit(most)
                .build();
    }

    /** Requests one key, which requires permission to read all keys with the prefix. */
    RangeRequest any() {
        return from(text, 1);
    }

    /** Requests the key created first, and the number of keys. */
    public RangeRequest oldest() {
        return all().setLimit(1)
                .setSortTarget(SortTarget.CREATE)
                .setSortOrder(SortOrder.ASCEND)
                .build();
    }

    /** Requests the last key by name, and the number of keys. */
    public RangeRequest last() {
        return all().setLimit(1)
                .setKeysOnly(true)
                .setSortTarget(SortTarget.KEY)
                .setSortOrder(SortOrder.DESCEND)
                .build();
    }

    /** Requests the number of keys that continue with this text. */
    public RangeRequest count(String beginning) {
        byte[] end = ByteString.copyFromUtf8(text + beginning).toByteArray();
        end[end.length - 1]++;
        return RangeRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(text + beginning))
                .setRangeEnd(ByteString.copyFrom(end))
                .setCountOnly(true)
                .build();
    }

    /** Returns the first key behind all keys below this name. */
    public String behind(String name) {
        return text + name + BEHIND;
    }

    private RangeRequest.Builder all() {
        return RangeRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(text))
                .setRangeEnd(ByteString.copyFromUtf8(text.substring(0, text.length() - 1) + BEHIND));
    }
}
