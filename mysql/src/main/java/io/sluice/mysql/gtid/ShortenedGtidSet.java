package io.sluice.mysql.gtid;

import java.util.List;

/** Shortens GTID sets for messages, which alarms and pages show. */
public final class ShortenedGtidSet {
    private static final int MAX_SHOWN = 400;

    private ShortenedGtidSet() {}

    /**
     * Returns the text of a set: as MySQL prints it, sorted by servers, or as MariaDB does; of many servers or domains the first ones and how
     * many more there are, and of a server with many intervals the first ones and an ellipsis. It has some 450 characters at most; it is
     * empty for the empty set.
     */
    public static String of(GtidSet set) {
        boolean isOfServers = set instanceof MySqlGtidSet;
        List<String> parts = List.of(set.toString().split(","));
        if (isOfServers) {
            parts = parts.stream().sorted().toList();
        }
        if (parts.get(0).length() > MAX_SHOWN) {
            String first = parts.get(0);
            return first.substring(0, first.lastIndexOf(':', MAX_SHOWN)) + ":…" + more(parts.size() - 1, isOfServers);
        }
        int count = 0;
        int length = 0;
        while (count < parts.size() && length + parts.get(count).length() <= MAX_SHOWN) {
            length += parts.get(count).length() + 1;
            count++;
        }
        return String.join(",", parts.subList(0, count)) + more(parts.size() - count, isOfServers);
    }

    private static String more(int parts, boolean isOfServers) {
        return parts == 0 ? "" : " and those of %d more %s".formatted(parts, isOfServers ? "servers" : "domains");
    }
}
