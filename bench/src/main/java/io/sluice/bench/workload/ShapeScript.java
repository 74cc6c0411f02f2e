package io.sluice.bench.workload;

import java.util.Random;

/** The statements of a {@link Shape}. */
final class ShapeScript implements ChangeScript {
    private static final int MAX_CENTS = 1_000_000;

    private final Shape shape;
    private final Random random = new Random(1);
    private final StringBuilder sql = new StringBuilder(1 << 16);

    ShapeScript(Shape shape) {
        this.shape = shape;
    }

    @Override
    public Totals write(StatementReceiver statements) {
        Tally inserts = Tally.NONE;
        for (long statement = 1; inserts.rows() < shape.rows(); statement++) {
            long table = statement <= shape.tables() ? statement : 1 + random.nextInt(shape.tables());
            sql.setLength(0);
            sql.append("INSERT INTO ").append(Shape.tableName((int) table)).append(" VALUES ");
            long end = Math.min(shape.rows(), inserts.rows() + shape.rowsPerInsert());
            String separator = "";
            while (inserts.rows() < end) {
                long id = inserts.rows() + 1;
                int cents = random.nextInt(MAX_CENTS);
                sql.append(separator);
                appendRow(id, cents);
                separator = ",";
                inserts = inserts.plus(id, cents);
            }
            statements.accept(sql);
        }
        return new Totals(inserts, Tally.NONE, Tally.NONE);
    }

    private void appendRow(long id, int cents) {
        sql.append('(').append(id).append(',').append(cents / 100).append('.');
        sql.append(cents % 100 / 10).append(cents % 10);
        for (int column = 2; column < shape.columns(); column++) {
            sql.append(',');
            switch (Shape.kindOf(column)) {
                case 0 -> sql.append(random.nextInt());
                case 1 ->
                    sql.append('\'')
                            .append(Integer.toString(random.nextInt(1 << 30), 36))
                            .append('\'');
                case 2 -> sql.append(random.nextLong());
                default ->
                    sql.append("'2026-01-0").append(1 + random.nextInt(9)).append(" 12:34:56'");
            }
        }
        sql.append(')');
    }
}
