package io.sluice.testkit.binlog;

import io.sluice.testkit.binlog.SyntheticBinlog.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes random rows, and the transactions around them. The row images are numbered from 1 in the order of the binlog; the number is the
 * key, and each value of another column is its name, a colon, the key, a slash and the number of columns. For one thread.
 */
final class NumberedRows {
    static final String SCHEMA = "shop";
    private static final List<Change> CHANGES = List.of(Change.values());

    private final SyntheticBinlog binlog;
    private final Random random;
    private final List<Integer> imagesAfter = new ArrayList<>();
    private int images;

    NumberedRows(SyntheticBinlog binlog, Random random) {
        this.binlog = binlog;
        this.random = random;
    }

    /** How many images were written. */
    int images() {
        return images;
    }

    /** How many images were written up to a transaction and in it; 0 for none. */
    int imagesUpTo(long transaction) {
        return transaction == 0 ? 0 : imagesAfter.get((int) transaction - 1);
    }

    /** Ends the open transaction. */
    SyntheticBinlog.Transaction close() {
        SyntheticBinlog.Transaction closed = binlog.close();
        imagesAfter.add(images);
        return closed;
    }

    void transaction(Runnable events) {
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        if (!binlog.flavour().isMariaDb()) {
            statement("BEGIN");
        }
        events.run();
        close();
    }

    void ddl(Runnable events) {
        binlog.open(SyntheticBinlog.MARIADB_STANDALONE | SyntheticBinlog.MARIADB_DDL);
        events.run();
        close();
    }

    void ddl(String sql) {
        ddl(() -> statement(sql));
    }

    void statement(String sql) {
        binlog.query(SCHEMA, sql);
    }

    /** Ends the events of a transaction of an engine with transactions. */
    void xid() {
        binlog.xid();
    }

    /** Writes rows events that insert, each with its table map; two of them may share a statement. */
    void inserts(SyntheticTable table, int events) {
        for (int i = 0; i < events; i++) {
            rows(table, Change.INSERT);
        }
    }

    /** Writes rows events of any kind, as {@link #inserts}. */
    void changes(SyntheticTable table, int events) {
        for (int i = 0; i < events; i++) {
            rows(table, CHANGES.get(random.nextInt(CHANGES.size())));
        }
    }

    private void rows(SyntheticTable table, Change change) {
        List<List<Object>> rows = new ArrayList<>();
        for (int count = 1 + random.nextInt(2); count > 0; count--) {
            rows.add(image(table));
            if (change == Change.UPDATE) {
                rows.add(image(table));
            }
        }
        binlog.rows(table, change, rows);
    }

    List<Object> image(SyntheticTable table) {
        images++;
        List<Object> image = new ArrayList<>();
        image.add(images);
        for (String column : table.columns().subList(1, table.columns().size())) {
            image.add("%s:%d/%d".formatted(column, images, table.columns().size()));
        }
        return image;
    }
}
