package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Order;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Txn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A few hundred things to ask, drawn from a seed: few keys, so that they are met again, and few leases. */
final class RandomAgreement {

    private static final List<String> KEYS = List.of("a", "b", "ba", "bb", "c");
    private static final List<String> LEASES = List.of("", "", "A", "B", "C", "nobody");
    private static final int STEPS = 300;
    private static final int MOST_WATCHES = 6;

    private final AgreementClient client;
    private final SplittableRandom chance;
    private final Map<String, Kv> seen = new HashMap<>();
    private long latest;
    private long compacted;
    private int values;

    RandomAgreement(AgreementClient client, long seed) {
        this.client = client;
        this.chance = new SplittableRandom(seed);
    }

    void run() {
        LEASES.stream().filter(name -> name.length() == 1).distinct().forEach(this::grant);
        for (int i = 0; i < STEPS; i++) {
            step();
        }
        client.fence();
        look();
        client.awaitWatches();
    }

    private void step() {
        int what = chance.nextInt(100);
        if (what < 60) {
            txn();
        } else if (what < 70) {
            look();
        } else if (what < 74) {
            client.read(range());
        } else if (what < 78) {
            client.keepAlive(named());
        } else if (what < 84) {
            String name = named();
            client.revoke(name);
            if (!name.equals("nobody") && chance.nextBoolean()) {
                grant(name);
            }
        } else if (what < 93) {
            watch();
        } else if (what < 97) {
            List<AgreementWatch> open = client.open();
            if (!open.isEmpty()) {
                client.close(any(open));
            }
        } else if (what < 98) {
            compact();
        } else {
            client.fence();
        }
    }

    private void grant(String name) {
        client.grant(name, Duration.ofMinutes(10));
    }

    /** Reads everything, so that conditions can be met. */
    private void look() {
        seen.clear();
        client.read(Range.below(client.key(""))).forEach(kv -> seen.put(kv.key(), kv));
    }

    private void txn() {
        if (chance.nextBoolean()) {
            look();
        }
        List<Compare> ifs = new ArrayList<>();
        for (int i = chance.nextInt(3); i > 0; i--) {
            ifs.add(compare());
        }
        client.txn(new Txn(ifs, branch(1), branch(0)))
                .ifPresent(result -> latest = client.later(result.header().revision()));
    }

    private Compare compare() {
        String key = client.key(any(KEYS));
        Kv kv = seen.get(key);
        boolean right = chance.nextInt(5) > 0;
        long wrong = chance.nextBoolean() ? 0 : client.revision(1 + chance.nextLong(latest + 1));
        return chance.nextBoolean()
                ? new Compare.Created(key, right ? kv == null ? 0 : kv.created() : wrong)
                : new Compare.Written(key, right ? kv == null ? 0 : kv.written() : wrong);
    }

    private List<Request> branch(int least) {
        var requests = new ArrayList<Request>();
        for (int i = least + chance.nextInt(3); i > 0; i--) {
            int what = chance.nextInt(10);
            requests.add(
                    what < 6
                            ? client.put(any(KEYS), String.valueOf(++values), any(LEASES))
                            : what < 8 ? client.delete(any(KEYS)) : range());
        }
        return requests;
    }

    private Range range() {
        boolean prefix = chance.nextBoolean();
        String key = prefix && chance.nextBoolean() ? "" : any(KEYS);
        long made = chance.nextBoolean() ? 0 : client.revision(1 + chance.nextLong(latest + 1));
        Order order = chance.nextBoolean() ? Order.KEY : Order.LAST_CREATED;
        boolean values = chance.nextBoolean();
        long then = chance.nextBoolean() ? 0 : client.revision(1 + chance.nextLong(latest + 2));
        String behind = any(KEYS);
        String after = prefix && behind.startsWith(key) && chance.nextBoolean() ? client.key(behind) : "";
        return new Range(client.key(key), prefix, order, chance.nextInt(4), made, values, after, then);
    }

    private void watch() {
        if (client.open().size() < MOST_WATCHES) {
            long from = chance.nextInt(3) == 0 ? 0 : client.revision(1 + chance.nextLong(latest + 5));
            Range range = range();
            client.watch(new Range(range.key(), range.prefix(), Order.KEY, 0, 0, range.values(), "", 0), from);
        }
    }

    private void compact() {
        long to = chance.nextLong(latest + 1);
        if (to > compacted) {
            compacted = to;
            client.compact(client.revision(to));
        }
    }

    private String named() {
        return LEASES.get(2 + chance.nextInt(LEASES.size() - 2));
    }

    private <T> T any(List<T> of) {
        return of.get(chance.nextInt(of.size()));
    }
}
