package io.sluice.mysql.gtid;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The GTID of one transaction of MariaDB.
 *
 * @param domain an independent stream of transactions, 0 to 2^32−1
 * @param server the {@code server_id} that it was first committed on, 0 to 2^32−1
 * @param sequence its number in the domain, which grows; unsigned, as are all 64 bits of it
 */
public record MariaDbGtid(long domain, long server, long sequence) implements Gtid {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,10})-(\\d{1,10})-(\\d{1,20})");
    private static final long LARGEST_INT4 = 0xFFFF_FFFFL;

    /**
     * Reads one.
     *
     * @param text {@code domain-server-sequence}
     * @throws IllegalArgumentException if it is none
     */
    public static MariaDbGtid parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (parts.matches()) {
            long domain = Long.parseLong(parts.group(1));
            long server = Long.parseLong(parts.group(2));
            BigInteger sequence = new BigInteger(parts.group(3));
            if (domain <= LARGEST_INT4 && server <= LARGEST_INT4 && sequence.bitLength() <= Long.SIZE) {
                return new MariaDbGtid(domain, server, sequence.longValue());
            }
        }
        throw new IllegalArgumentException("not a GTID of MariaDB: '" + text + "'; expected domain-server-sequence");
    }

    /** Whether another one is of the same domain and server, and has the same number or a larger one. */
    public boolean isUpTo(MariaDbGtid other) {
        return domain == other.domain && server == other.server && Long.compareUnsigned(sequence, other.sequence) <= 0;
    }

    @Override
    public String toString() {
        return domain + "-" + server + "-" + Long.toUnsignedString(sequence);
    }
}
