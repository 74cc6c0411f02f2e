package io.sluice.bench.workload;

import java.util.List;

/** The tables of the workloads, with columns of the most common types. */
public final class Tables {
    /** The schema of all of them. */
    public static final String SCHEMA = "bench";

    /** A table whose only row is the last change of every workload. */
    public static final String MARKER = "marker";

    /** The text in that row, which is nowhere else. */
    public static final String MARKER_WORD = "this-is-the-last-change";

    static final String ORDERS = "orders";
    static final String PAYMENTS = "payments";

    private static final String CREATE_ORDERS = """
            CREATE TABLE orders (
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

    private static final String CREATE_PAYMENTS = """
            CREATE TABLE payments (
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

    /** The {@code CREATE TABLE} statements. */
    public static List<TableText> all() {
        return List.of(new TableText(ORDERS, CREATE_ORDERS), new TableText(PAYMENTS, CREATE_PAYMENTS), marker());
    }

    static TableText marker() {
        return new TableText(MARKER, CREATE_MARKER);
    }

    /** A table's name and its {@code CREATE TABLE} statement. */
    public record TableText(String name, String create) {}
}
