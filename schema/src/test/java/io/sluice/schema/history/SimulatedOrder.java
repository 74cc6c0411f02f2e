package io.sluice.schema.history;

import io.sluice.mysql.gtid.MariaDbGtid;
import java.util.stream.Stream;

/** The order of the transactions of a binlog that has given ones. */
final class SimulatedOrder {
    private SimulatedOrder() {}

    /** The order in a binlog that has these transactions, and whatever else of the servers. */
    static TransactionOrder of(String... gtids) {
        MariaDbGtid[] all = Stream.of(gtids).map(MariaDbGtid::parse).toArray(MariaDbGtid[]::new);
        return (set, gtid) -> {
            MariaDbGtid named = set.newestOf(gtid.domain());
            if (named == null || firstUpTo(all, named) == all.length) {
                return null;
            }
            int asked = firstUpTo(all, gtid);
            return asked < all.length && asked <= firstUpTo(all, named);
        };
    }

    private static int firstUpTo(MariaDbGtid[] all, MariaDbGtid gtid) {
        int at = 0;
        while (at < all.length && !gtid.isUpTo(all[at])) {
            at++;
        }
        return at;
    }
}
