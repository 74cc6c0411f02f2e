package io.sluice.parse.gtid;

import java.util.Arrays;
import java.util.List;

/** The newest transaction of every domain of a MariaDB, and with it all before it. */
public final class MariaDbGtids implements ExecutedGtids {
    private final MariaDbGtid[] newest;

    private MariaDbGtids(MariaDbGtid[] newest) {
        this.newest = newest;
    }

    /** Reads a position as MariaDB prints it; see {@link MariaDbGtidSet#parse}. */
    public static MariaDbGtids parse(String text) {
        MariaDbGtids gtids = new MariaDbGtids(new MariaDbGtid[0]);
        for (String part : MariaDbGtidSet.parse(text).toString().split(",")) {
            if (!part.isEmpty()) {
                gtids = gtids.plus(MariaDbGtid.parse(part));
            }
        }
        return gtids;
    }

    /** These, with a newer transaction of its domain. */
    public MariaDbGtids plus(MariaDbGtid gtid) {
        for (int i = 0; i < newest.length; i++) {
            if (newest[i].domain() == gtid.domain()) {
                MariaDbGtid[] newer = newest.clone();
                newer[i] = gtid;
                return new MariaDbGtids(newer);
            }
        }
        MariaDbGtid[] more = Arrays.copyOf(newest, newest.length + 1);
        more[newest.length] = gtid;
        return new MariaDbGtids(more);
    }

    @Override
    public boolean isEmpty() {
        return newest.length == 0;
    }

    @Override
    public String text() {
        return new MariaDbGtidSet(List.of(newest)).toString();
    }

    @Override
    public String toString() {
        return text();
    }
}
