package io.sluice.testkit.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.check.Change;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.ExpectedState;
import io.sluice.testkit.check.FixedBytes;
import io.sluice.testkit.check.Origin;
import io.sluice.testkit.check.Row;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.check.StateDifference;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.check.TableId;
import io.sluice.testkit.mysql.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@Tag("thorough")
class RandomWorkloadIT {
    private static final TableId EVERY_TYPE = new TableId("small", "every_type");

    private static MySqlServer server;
    private static RandomWorkload.Counts counts;

    @BeforeAll
    static void runWorkload() throws SQLException {
        server = MySqlServer.start();
        try (Connection connection = server.connect()) {
            RandomWorkload workload = new RandomWorkload(RandomWorkload.Options.of(7, 20_000));
            long begin = System.nanoTime();
            counts = workload.run(connection);
            LoggerFactory.getLogger(RandomWorkloadIT.class)
                    .info("ran {} in {} ms", counts, (System.nanoTime() - begin) / 1_000_000);
            workload.markTheEnd(connection);
        }
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @Test
    void changesTheGivenNumberOfRowsInAllWays() {
        assertThat(counts.total()).isBetween(20_000L, 21_000L);
        assertThat(counts.inserts()).isGreaterThan(3_000);
        assertThat(counts.updates()).isGreaterThan(3_000);
        assertThat(counts.deletes()).isGreaterThan(3_000);
        assertThat(counts.rollbacks()).isPositive();
        assertThat(server.query("select count(*) from workload.sluice_end")).isEqualTo("1");
    }

    @Test
    void leavesAsManyRowsAsItReports() {
        long rows = 0;
        for (String table : List.of("orders", "order_lines", "customers", "visits", "every_type")) {
            rows += Long.parseLong(server.query("select count(*) from workload." + table));
        }
        assertThat(rows).isEqualTo(counts.inserts() - counts.deletes());
    }

    @Test
    void givesEveryChangeAVersionOfItsOwn() {
        assertThat(server.query("select count(*) - count(distinct version) from workload.visits"))
                .isEqualTo("0");
    }

    @Test
    void theSameSeedGivesTheSameRows() throws SQLException {
        RandomWorkload.Options options = RandomWorkload.Options.of(11, 2_000);
        try (Connection connection = server.connect()) {
            new RandomWorkload(options.schema("one")).run(connection);
            new RandomWorkload(options.schema("other")).run(connection);
        }
        for (String table : List.of("orders", "order_lines", "customers", "visits", "every_type")) {
            assertThat(checksum("one." + table)).isEqualTo(checksum("other." + table));
        }
    }

    @Test
    void rowsOfAllTypesEqualThemselvesAndNothingElse() throws SQLException {
        try (Connection connection = server.connect()) {
            ExpectedState all = ServerState.of(connection, "workload");
            assertThat(StateComparison.compare(all, copyOf(all, null), FixedBytes.EXACT))
                    .isEmpty();

            new RandomWorkload(RandomWorkload.Options.of(3, 1_000).schema("small")).run(connection);
            ExpectedState state = ServerState.of(connection, "small");

            ExpectedState.Table everyType = state.tables().stream()
                    .filter(t -> t.id().equals(EVERY_TYPE))
                    .findFirst()
                    .orElseThrow();
            for (String column : everyType.types().keySet()) {
                if (!column.equals("id")) {
                    List<StateDifference> differences =
                            StateComparison.compare(state, copyOf(state, column), FixedBytes.EXACT);
                    assertThat(differences)
                            .as(
                                    "a wrong value in %s %s",
                                    column, everyType.types().get(column))
                            .singleElement()
                            .satisfies(d -> assertThat(d.column()).isEqualTo(column))
                            .satisfies(d -> assertThat(d.kind()).isEqualTo(StateDifference.Kind.WRONG_VALUE));
                }
            }
        }
    }

    /** What a faithful reader would deliver, but for one value of one row. */
    private static StateModel copyOf(ExpectedState state, String damagedColumn) {
        StateModel model = new StateModel(Duplicates.FORBIDDEN);
        for (ExpectedState.Table table : state.tables()) {
            int[] rows = {0};
            table.forEachRow(table.types(), row -> {
                boolean damage = damagedColumn != null && table.id().equals(EVERY_TYPE) && rows[0]++ == 3;
                Origin origin = new Origin("topic", 0, 0, "");
                model.apply(new Change.OfRow(
                        table.id(),
                        origin,
                        table.key(),
                        table.types(),
                        null,
                        damage ? damaged(row, damagedColumn) : row));
            });
        }
        return model;
    }

    private static Row damaged(Row row, String column) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String name : row.columns()) {
            String value = row.value(name);
            values.put(name, !name.equals(column) ? value : value == null ? "1" : value + "1");
        }
        return Row.of(values);
    }

    private static String checksum(String table) throws SQLException {
        try (Connection connection = server.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("checksum table " + table)) {
            rows.next();
            return rows.getString(2);
        }
    }
}
