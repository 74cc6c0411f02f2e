package io.sluice.stream.differential;

import io.sluice.testkit.check.TableId;

/** Partitions of tables, and statements that change them. */
final class RandomPartitions {
    private final Scene scene;
    private final Dice dice;

    RandomPartitions(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
    }

    /** A clause that partitions a table by a column. */
    String clause(String column) {
        return " " + dice.oneOf("partition by ", "PARTITION BY ", "partition by ")
                + switch (dice.below(7)) {
                    case 0 -> "key (" + (dice.percent(50) ? "" : column) + ") partitions " + (1 + dice.below(3));
                    case 1 -> "hash (" + column + ") partitions 2";
                    case 2 -> "linear key algorithm=2 (" + column + ")";
                    case 3 ->
                        "range (" + column + ") (partition p0 values less than (10), partition p1 values less than"
                                + " maxvalue)";
                    case 4 ->
                        "range columns (" + column + ") (partition p0 values less than ('m') comment 'select',"
                                + " partition `p 1` values less than (maxvalue) engine = InnoDB)";
                    case 5 ->
                        "list (" + column + ") (partition p0 values in (0, 1, null), partition p1 values in (2, 3, 5,"
                                + " 7))";
                    default ->
                        scene.mariaDb()
                                ? "system_time (partition h history, partition c current)"
                                : "range (" + column + ") subpartition by hash (" + column
                                        + ") subpartitions 2 (partition p0 values less than (10),"
                                        + " partition p1 values less than (maxvalue))";
                };
    }

    /** A statement that changes the partitions of a table. */
    String change(TableId id) {
        String other = scene.someTableName();
        return "alter table " + scene.name(id) + " "
                + dice.oneOf(
                        "add partition (partition p9 values less than (99))",
                        "add partition partitions 2",
                        "drop partition p0",
                        "truncate partition p0",
                        "coalesce partition 1",
                        "reorganize partition p0 into (partition p0 values less than (5), partition p00 values less than (10))",
                        "rebuild partition all",
                        "optimize partition p0",
                        "remove partitioning",
                        "analyze partition all",
                        "exchange partition p0 with table " + other,
                        scene.mariaDb()
                                ? "convert partition p0 to table " + scene.freeTableName()
                                : "remove partitioning",
                        scene.mariaDb()
                                ? "convert table " + other + " to partition p7 values less than (99)"
                                : "exchange partition p1 with table " + other + " without validation",
                        "partition by hash (" + scene.someColumn(id) + ") partitions 2",
                        "partition by key () partitions 2");
    }
}
