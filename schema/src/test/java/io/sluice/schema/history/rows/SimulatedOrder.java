package io.sluice.schema.history.rows;

import io.sluice.mysql.gtid.MariaDbGtid;
import java.util.List;
import java.util.stream.Stream;

/** The order of the transactions of a binlog that has given ones. */
public final class SimulatedOrder {
    private SimulatedOrder() {}

    /** The order in a binlog that has these transactions, and no others. */
    public static TransactionOrder of(String... gtids) {
        List<MariaDbGtid> all = Stream.of(gtids).map(MariaDbGtid::parse).toList();
        return (set, gtid) -> {
            MariaDbGtid named = set.newestOf(gtid.domain());
            if (named == null || named.server() == gtid.server()) {
                return named != null && gtid.isUpTo(named);
            }
            int place = all.indexOf(gtid);
            int placeOfNamed = all.indexOf(named);
            return place < 0 || placeOfNamed < 0 ? null : Boolean.valueOf(place < placeOfNamed);
        };
    }
}
