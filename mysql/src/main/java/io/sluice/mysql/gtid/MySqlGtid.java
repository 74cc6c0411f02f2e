package io.sluice.mysql.gtid;

import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The GTID of one transaction of MySQL.
 *
 * <p>Its text is {@code uuid:number}, or {@code uuid:tag:number} where it has a tag, which MySQL knows since 8.3.
 *
 * @param source the UUID of the server that committed it first
 * @param tag at most 32 of {@code a-z0-9_}, not a digit first; empty for none. Capitals become small, as MySQL has it
 * @param number its number among those of this source and tag, from 1 to 2^63-2
 */
public record MySqlGtid(UUID source, String tag, long number) implements Gtid {
    /** The largest number that MySQL gives. */
    public static final long LARGEST_NUMBER = Long.MAX_VALUE - 1;

    private static final Pattern TAG = Pattern.compile("[a-z_][a-z0-9_]{0,31}");

    /** @throws IllegalArgumentException if tag or number is impossible */
    public MySqlGtid {
        tag = checkedTag(tag);
        if (number < 1 || number > LARGEST_NUMBER) {
            throw new IllegalArgumentException("no number of a transaction: " + number);
        }
    }

    /** A transaction without a tag. */
    public MySqlGtid(UUID source, long number) {
        this(source, "", number);
    }

    /** The tag as MySQL keeps it. */
    static String checkedTag(String tag) {
        if (tag.isEmpty()) {
            return tag;
        }
        String small = tag.toLowerCase(Locale.ROOT);
        if (!TAG.matcher(small).matches()) {
            throw new IllegalArgumentException("no tag of a GTID: " + tag);
        }
        return small;
    }

    @Override
    public String toString() {
        return tag.isEmpty() ? source + ":" + number : source + ":" + tag + ":" + number;
    }
}
