package io.baton.tck;

import java.util.List;

/** Names that are easily confused with each other or with paths. */
final class OddNames {

    static final List<String> ALL = List.of(
            "a",
            "A",
            "a/b",
            "a%2Fb",
            "a//b",
            "/a",
            "a/",
            "/",
            ".",
            "..",
            "../a",
            ".a",
            "a.b",
            "a b",
            " ",
            "%",
            "%41",
            "\u00e4",
            "a\u0308",
            "\u65e5\u672c",
            "\ud83d\udd12",
            "\u0000",
            "\n",
            "\u202e",
            "a?b=c#d",
            "locks",
            "zookeeper",
            "lock-0000000001");

    private OddNames() {}
}
