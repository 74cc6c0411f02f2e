package io.sluice.bench.workload;

import java.util.ArrayList;
import java.util.List;

/** The tables of the workloads, with columns of the most common types. */
public final class Tables {
    /** The schema of all of them. */
    public static final String SCHEMA = "bench";

    /** A table whose only row is the last change of every workload. */
    public static final String MARKER = "marker";

    /** The text in that row, which is nowhere else. */
    public static final String MARKER_WORD = "this-is-the-last-change";

    /** The number of tables with changes, unless there are more. */
    static final int USUAL = 2;

    private static final String ORDERS = """
            CREATE TABLE %s (
              id bigint NOT NULL AUTO_INCREMENT,
              customer_id int NOT NULL,
              product_id int unsigned NOT NULL,
              status tinyint NOT NULL DEFAULT 0,
              quantity int NOT NULL,
              amount decimal(10,2) NOT NULL,
              reference varchar(32) NOT NULL,
              address varchar(160) DEFAULT NULL,
              note text,
              weight double DEFAULT NULL,
              created_at datetime NOT NULL,
              updated_at timestamp NULL DEFAULT NULL,
              PRIMARY KEY (id)
            ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4""";

    private static final String PAYMENTS = """
            CREATE TABLE %s (
              id bigint NOT NULL AUTO_INCREMENT,
              order_id bigint NOT NULL,
              account_id int NOT NULL,
              method tinyint NOT NULL,
              currency char(3) NOT NULL,
              amount decimal(10,2) NOT NULL,
              holder varchar(64) NOT NULL,
              memo varchar(600) DEFAULT NULL,
              rate double NOT NULL,
              booked_at datetime(3) NOT NULL,
              seen_at timestamp NULL DEFAULT NULL,
              PRIMARY KEY (id)
            ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4""";

    private static final String CREATE_MARKER = """
            CREATE TABLE marker (
              id int NOT NULL,
              word varchar(64) NOT NULL,
              PRIMARY KEY (id)
            ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4""";

    private Tables() {}

    /** Orders, payments and the marker. */
    public static List<TableText> all() {
        return all(USUAL);
    }

    /** Tables with changes, and the marker. */
    static List<TableText> all(int count) {
        List<TableText> tables = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tables.add(new TableText(name(i, count), (isOrders(i) ? ORDERS : PAYMENTS).formatted(name(i, count))));
        }
        tables.add(new TableText(MARKER, CREATE_MARKER));
        return tables;
    }

    /** Whether the columns of a table are those of orders; if not, they are those of payments. */
    static boolean isOrders(int table) {
        return table % 2 == 0;
    }

    /** The name of a table, which is numbered if there are more than the usual ones. */
    static String name(int table, int count) {
        return (isOrders(table) ? "orders" : "payments") + (count > USUAL ? "_" + (table + 1) : "");
    }

    /** A table's name and its {@code CREATE TABLE} statement. */
    public record TableText(String name, String create) {}
}
