package io.sluice.connector.api.route;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicRulesTest {
    /** Each was observed from canal. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "mytest                              ! mytest ! user ! mytest",
                "mytest.user                         ! mytest ! User ! mytest_user",
                ".*\\..*                             ! MyDb   ! User ! mydb_user",
                ".*                                  ! MyDb   ! User ! mydb",
                "test.*                              ! test1  ! user ! test1",
                "test[.].*                           ! test   ! user ! dft_topic",
                "t2:mytest,t1:mytest\\.user          ! mytest ! user ! t1",
                "t1:mytest.user,mytest.role          ! mytest ! role ! mytest_role",
                "t1:mytest.(user|role)               ! mytest ! role ! dft_topic",
                "t1:mytest\\.(user|role)             ! mytest ! role ! t1",
                "t1: mytest.user , t2 : mytest.role  ! mytest ! role ! t2",
                "a.b:mytest                          ! mytest ! user ! a_b",
                "t1:mytest                           ! mytest ! ''   ! dft_topic",
                "t:a,b                               ! b      ! x    ! b",
                "t:a;b.x                             ! b      ! x    ! b_x",
                "T1:a\\..*                           ! A      ! X    ! T1",
                ",;t:a\\.x,,                         ! a      ! x    ! t",
                ",                                   ! a      ! x    ! dft_topic",
                "t1:a\\.foo|a\\.foot                 ! a      ! foot ! dft_topic",
            })
    void chooseTheTopicsOfCanal(String rules, String schema, String table, String topic) {
        assertThat(Texts.router("dynamicTopic", rules).route(schema, table).topic())
                .isEqualTo(topic);
    }

    /** canal cuts these in two, fails on them, or they have no effect there. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "t1:a\\.t_\\d{1,2}                  ! a  ! t_12 ! t1",
                "t1:a\\.t_\\d{1,2},t2:b\\.x{2,}     ! b  ! xx   ! t2",
                "a\\.t_\\d{1,2}                     ! a  ! t_12 ! a_t_12",
                "a\\.(?:x|y)                        ! a  ! y    ! a_y",
                "t:a\\.(?:x|y);t2:a\\.(?:[,:)]|z)   ! a  ! z    ! t2",
                "a\\.[[:alpha:]]+                   ! a  ! y    ! a_y",
                "t1:mytest.user, mytest.role        ! mytest ! role ! mytest_role",
                "t1:mytest.user, my.*               ! mytest ! role ! mytest",
                "shop_${schema}_${table}:.*\\..*    ! Us ! Orders ! shop_us_orders",
                "${table}:.*\\..*                   ! us ! orders ! orders",
                "x.${schema}.y:us                   ! US ! orders ! x_us_y",
                "all_${table}:us                    ! us ! orders ! all_orders",
            })
    void understandMoreThanCanal(String rules, String schema, String table, String topic) {
        RoutingRules read = RoutingRules.read(Texts.of("dynamicTopic", rules));

        assertThat(read.problems()).isEmpty();
        assertThat(read.router(TopicPartitions.UNKNOWN).route(schema, table).topic())
                .isEqualTo(topic);
    }

    @Test
    void withoutRulesTheTopicIsTakenAsItIs() {
        Route route = Texts.router("topic", "a.b", "partition", "7").route("shop", "orders");

        assertThat(route).isEqualTo(new Route("a.b", new Partitioning.One(7)));
        assertThat(Texts.router("topic", "a.b").isFixed()).isTrue();
        assertThat(Texts.router("dynamicTopic", "a").isFixed()).isFalse();
        assertThat(Texts.router("partitionHash", "a.b:c").isFixed()).isFalse();
        assertThat(Texts.router("messageKey", "pk").isFixed()).isFalse();
        assertThat(Texts.router("messageKey", "none").isFixed()).isTrue();
    }

    @Test
    void withRulesForTopicsOnlyThePartitionIsTheFixedOne() {
        Router router = Texts.router("dynamicTopic", ".*\\..*", "partition", "2", "partitionsNum", "9");

        assertThat(router.route("shop", "orders")).isEqualTo(new Route("shop_orders", new Partitioning.One(2)));
        assertThat(router.route("", "")).isEqualTo(new Route("dft_topic", new Partitioning.One(2)));
    }

    @Test
    void knowsTheTopicsThatAreNamedWhateverTheTable() {
        RoutingRules rules = RoutingRules.read(Texts.of("dynamicTopic", "a.b:x,${table}:y,z"));

        assertThat(rules.namedTopics().stream().map(RoutingRules.NamedTopic::topic))
                .containsExactly("dft_topic", "a_b");
    }
}
