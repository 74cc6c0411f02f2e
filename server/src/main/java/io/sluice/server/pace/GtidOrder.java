package io.sluice.server.pace;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Determines by its number whether a transaction comes after all of a set; of transactions that were written on one server. */
final class GtidOrder {
    private static final Pattern LAST_NUMBER = Pattern.compile("(\\d+)$");

    private GtidOrder() {}

    /**
     * Whether a transaction comes after all of a set.
     *
     * @param gtid as its source spells it
     * @param set as its source spells it
     * @return false if that cannot be determined: the set has transactions of several servers, or of others than the one that wrote this
     */
    static boolean isAfter(String gtid, String set) {
        if (set.indexOf(',') >= 0) {
            return false;
        }
        boolean isMariaDb = gtid.indexOf(':') < 0;
        String own =
                isMariaDb ? gtid.substring(0, gtid.indexOf('-') + 1) : gtid.substring(0, gtid.lastIndexOf(':') + 1);
        if (own.isEmpty() || !set.startsWith(own)) {
            return false;
        }
        boolean isOfOneTag = isMariaDb || set.substring(own.length()).matches("[0-9:-]+");
        return isOfOneTag && lastNumber(gtid) > lastNumber(set);
    }

    private static long lastNumber(String text) {
        Matcher last = LAST_NUMBER.matcher(text);
        return last.find() ? Long.parseLong(last.group(1)) : -1;
    }
}
