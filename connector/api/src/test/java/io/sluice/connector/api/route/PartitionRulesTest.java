package io.sluice.connector.api.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.route.Partitioning.ByKey;
import io.sluice.connector.api.route.Partitioning.ByTable;
import io.sluice.format.split.RowKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionRulesTest {
    /** Each was observed from canal, with and without the schema in the hash. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "NULL",
            delimiter = '!',
            value = {
                "id      ! 1   !      ! -1059087345 ! 0 ! 1 ! 49     ! 1 ! 1",
                "id      ! 2   !      ! -1059087348 ! 0 ! 0 ! 50     ! 2 ! 2",
                "id      ! 3   !      ! -1059087347 ! 2 ! 3 ! 51     ! 0 ! 3",
                "id^name ! 1   ! tom  ! -1059168931 ! 1 ! 3 ! 115043 ! 2 ! 3",
                "id^name ! 2   ! ann  ! -1059133971 ! 0 ! 3 ! 96723  ! 0 ! 3",
                "id^name ! 3   ! NULL ! -1059087347 ! 2 ! 3 ! 51     ! 0 ! 3",
                "nothing ! NULL ! NULL ! -1059087298 ! 1 ! 2 ! 0     ! 0 ! 0",
            })
    void rowsGoWhereCanalSendsThem(
            String columns,
            String first,
            String second,
            int hash,
            int of3,
            int of4,
            int bare,
            int bareOf3,
            int bareOf4) {
        List<String> values = new ArrayList<>();
        values.add(first);
        values.add(second);
        for (boolean schema : new boolean[] {true, false}) {
            for (int count : new int[] {3, 4}) {
                ByKey by = (ByKey) Texts.router(
                                "partitionHash", "mytest.user:" + columns,
                                "database.hash", Boolean.toString(schema),
                                "partitionsNum", Integer.toString(count))
                        .route("mytest", "user")
                        .partitioning();

                assertThat(by.key()).isEqualTo(RowKey.of(List.of(columns.split("\\^"))));
                assertThat(by.hashOf(values)).isEqualTo(schema ? hash : bare);
                assertThat(by.partitionOf(by.hashOf(values)))
                        .isEqualTo(schema ? count == 3 ? of3 : of4 : count == 3 ? bareOf3 : bareOf4);
            }
        }
    }

    @Test
    void theSmallestHashHasAPartition() {
        ByKey by = new ByKey(RowKey.of(List.of("id")), 0, 3);

        assertThat(by.hashOf(List.of("polygenelubricants"))).isEqualTo(Integer.MIN_VALUE);
        assertThat(by.partitionOf(Integer.MIN_VALUE)).isEqualTo(2);
        assertThat(new ByKey(by.key(), 0, 4).partitionOf(Integer.MIN_VALUE)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"3, 0, true", "4, 3, true", "3, 0, false", "4, 3, false"})
    void aRuleWithoutColumnsHashesTheTablesName(int count, int partition, boolean schema) {
        Route route = Texts.router(
                        "partitionHash", "mytest.user",
                        "database.hash", Boolean.toString(schema),
                        "partitionsNum", Integer.toString(count))
                .route("mytest", "user");

        assertThat(route.partitioning()).isEqualTo(new ByTable(partition, count));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"mytest.user:$pk$", "MyTest.User:$PK$", ".*\\..*:$pk$", "a.b:c;mytest\\.u.*:$pk$,mytest.user:id"
            })
    void rowsGoByThePrimaryKey(String rules) {
        Route route = Texts.router("partitionHash", rules, "partitionsNum", "3").route("mytest", "user");

        assertThat(route.partitioning()).isEqualTo(new ByKey(RowKey.PRIMARY, "mytest".hashCode(), 3));
    }

    @Test
    void whatNoRuleIsForGoesToTheFirstPartitionAndNotToTheFixedOne() {
        Router router = Texts.router("partitionHash", "a.b:c", "partitionsNum", "3", "partition", "2");

        assertThat(router.route("a", "x").partitioning()).isEqualTo(new ByTable(0, 3));
        assertThat(router.route("a", "").partitioning()).isEqualTo(new ByTable(0, 3));
        assertThat(router.route("", "").partitioning()).isEqualTo(new ByTable(0, 3));
        assertThat(router.route("a", "x").topic()).isEqualTo("dft.topic");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "a\\.t_\\d{1,2}:id     ! a ! t_12 ! id",
                "a\\.(?:x|y):id        ! a ! y    ! id",
                "a.b:c, a.y : id ^ no  ! a ! y    ! id,no",
                "a\\.[[:alpha:]]:id    ! a ! y    ! id",
            })
    void understandsMoreThanCanal(String rules, String schema, String table, String columns) {
        RoutingRules read = RoutingRules.read(Texts.of("partitionHash", rules));

        assertThat(read.problems()).isEmpty();
        assertThat(read.router(TopicPartitions.UNKNOWN).route(schema, table).partitioning())
                .isEqualTo(new ByKey(RowKey.of(List.of(columns.split(","))), schema.hashCode(), 1));
    }

    @Test
    void anExpressionWithAGroupNeedsNoColumns() {
        assertThat(Texts.router("partitionHash", "a\\.(?:x|y)", "partitionsNum", "2")
                        .route("a", "y")
                        .partitioning())
                .isEqualTo(new ByTable("y".hashCode() % 2, 2));
    }

    @ParameterizedTest
    @CsvSource({"test.user, 4", "x.test, 9", "mycanal, 6", "MyCanal, 6", "zz, 9"})
    void theTopicsNameDeterminesTheNumberOfPartitions(String topic, int count) {
        Router router = Texts.router(
                "dynamicTopic", topic + ":a.b",
                "partitionHash", "a.b:c",
                "partitionsNum", "9",
                "dynamicTopicPartitionNum", "test_.*:4,mycanal:6");

        assertThat(router.route("a", "b").partitioning())
                .isEqualTo(new ByKey(RowKey.of(List.of("c")), "a".hashCode(), count));
    }

    @Test
    void withoutAnyNumberThereIsOnePartition() {
        assertThat(Texts.router("partitionHash", "a.b:c").route("a", "b").partitioning())
                .isEqualTo(new ByKey(RowKey.of(List.of("c")), "a".hashCode(), 1));
    }

    @Test
    void messagesHaveTheKeyThatIsAskedFor() {
        assertThat(Texts.router("messageKey", "").route("a", "b").messageKey()).isNull();
        assertThat(Texts.router("messageKey", " None ").route("a", "b").messageKey())
                .isNull();
        assertThat(Texts.router("messageKey", "PK").route("a", "b").messageKey())
                .isEqualTo(RowKey.PRIMARY);
        Router router = Texts.router("messageKey", "a.b:c^d,.*\\..*:$pk$");
        assertThat(router.route("a", "b").messageKey()).isEqualTo(RowKey.of(List.of("c", "d")));
        assertThat(router.route("x", "y").messageKey()).isEqualTo(RowKey.PRIMARY);
        assertThat(router.route("x", "").messageKey()).isNull();
    }
}
