package io.baton.etcd.inspect;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeRequest.SortOrder;
import io.etcd.jetcd.api.RangeRequest.SortTarget;

/**
 * All keys that begin so, and questions about them.
 *
 * @param text how they begin: ends with a slash
 */
public record Prefix(String text) {

    /** The first key behind all that lie below a name: a slash, and what comes behind a slash. */
    private static final ByteString BEHIND = ByteString.copyFromUtf8("0");

    /** What lies below a name directly below this. */
    Prefix below(String name) {
        return new Prefix(text + name + "/");
    }

    /** How they begin, as servers keep it. */
    public ByteString bytes() {
        return ByteString.copyFromUtf8(text);
    }

    /** The name directly below this that this key lies below; empty if it lies below none. */
    public ByteString nameOf(ByteString key) {
        for (int i = bytes().size(); i < key.size(); i++) {
            if (key.byteAt(i) == '/') {
                return key.substring(bytes().size(), i);
            }
        }
        return ByteString.EMPTY;
    }

    /** So many keys from this one on, in their order, without values. */
    public RangeRequest from(ByteString key, int most) {
        return all().setKey(key).setKeysOnly(true).setLimit(most).build();
    }

    /** Whether there is one, which takes the permission to read them all. */
    RangeRequest any() {
        return from(bytes(), 1);
    }

    /** The deletion of them all. */
    DeleteRangeRequest deletion() {
        return DeleteRangeRequest.newBuilder()
                .setKey(bytes())
                .setRangeEnd(end())
                .build();
    }

    /** The one that was created first, and how many there are. */
    public RangeRequest oldest() {
        return all().setLimit(1)
                .setSortTarget(SortTarget.CREATE)
                .setSortOrder(SortOrder.ASCEND)
                .build();
    }

    /** The last by name, and how many there are. */
    public RangeRequest last() {
        return all().setLimit(1)
                .setKeysOnly(true)
                .setSortTarget(SortTarget.KEY)
                .setSortOrder(SortOrder.DESCEND)
                .build();
    }

    /** How many of them go on like this. */
    public RangeRequest count(String beginning) {
        byte[] end = ByteString.copyFromUtf8(text + beginning).toByteArray();
        end[end.length - 1]++;
        return RangeRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(text + beginning))
                .setRangeEnd(ByteString.copyFrom(end))
                .setCountOnly(true)
                .build();
    }

    /** Where to go on behind all that lie below a name directly below this. */
    public ByteString behind(ByteString name) {
        return bytes().concat(name).concat(BEHIND);
    }

    private RangeRequest.Builder all() {
        return RangeRequest.newBuilder().setKey(bytes()).setRangeEnd(end());
    }

    private ByteString end() {
        return ByteString.copyFromUtf8(text.substring(0, text.length() - 1)).concat(BEHIND);
    }
}
