package io.sluice.stream.source.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ServerClockIT {
    /** The hours around 2026-10-25 01:00 UTC, when summer time ends in Berlin: two of them are from 02:00 to 03:00 there. */
    private static final List<Instant> HOURS = List.of(
            Instant.parse("2026-10-24T23:30:00Z"),
            Instant.parse("2026-10-25T00:30:00.250Z"),
            Instant.parse("2026-10-25T01:30:00Z"),
            Instant.parse("2026-10-25T02:30:00Z"),
            Instant.parse("2026-03-29T00:59:59Z"),
            Instant.parse("2026-03-29T01:00:00Z"));

    @ParameterizedTest
    @EnumSource
    void theClockIsRightInTheHourThatIsRepeatedWhenSummerTimeEnds(ServerRelease release) throws Exception {
        try (MySqlServer server = MySqlServer.start(MySqlOptions.defaults().release(release))) {
            addTimeZone(server);
            ServerAddress address = new ServerAddress(server.host(), server.port());
            try (MySqlConnection connection = MySqlConnection.open(ConnectOptions.of(address, "root", ""))) {
                connection.execute("set time_zone = 'Europe/Berlin'");
                ServerFacts facts = new MySqlServerFacts(connection);
                for (Instant hour : HOURS) {
                    connection.execute(
                            "set timestamp = %d.%03d".formatted(hour.getEpochSecond(), hour.getNano() / 1_000_000));

                    assertThat(Instant.ofEpochMilli(facts.clockMillis())).isEqualTo(hour);
                }
            }
        }
    }

    /** As {@code mysql_tzinfo_to_sql} does, for one year. */
    private static void addTimeZone(MySqlServer server) {
        long summer = Instant.parse("2026-03-29T01:00:00Z").getEpochSecond();
        long winter = Instant.parse("2026-10-25T01:00:00Z").getEpochSecond();
        server.execute(
                "insert into mysql.time_zone (time_zone_id, use_leap_seconds) values (1000, 'N')",
                "insert into mysql.time_zone_name (name, time_zone_id) values ('Europe/Berlin', 1000)",
                "insert into mysql.time_zone_transition_type (time_zone_id, transition_type_id, `offset`, is_dst, abbreviation)"
                        + " values (1000, 0, 3600, 0, 'CET'), (1000, 1, 7200, 1, 'CEST')",
                "insert into mysql.time_zone_transition (time_zone_id, transition_time, transition_type_id) values (1000, %d, 1), (1000, %d, 0)"
                        .formatted(summer, winter));
    }
}
