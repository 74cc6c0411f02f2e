package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.deployer.e2e.PackagedServer.Outcome;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Asks the package where a table goes, with no source, no broker, and no running server. */
@Timeout(900)
class RouteIT {
    @Test
    void saysWhereATableGoes() throws Exception {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("canal.instance.master.address", "db:3306");
        settings.put("canal.mq.topic", "rest");
        settings.put("canal.mq.dynamicTopic", "live_${schema}_${table}:shop\\\\..*");
        settings.put("canal.mq.partitionHash", "mytest.user:id^name,.*\\\\..*:$pk$");
        settings.put("canal.mq.partitionsNum", "3");
        try (PackagedServer server = new PackagedServer(
                "shop", Map.of("canal.serverMode", "kafka", "kafka.bootstrap.servers", "127.0.0.1:9092"), settings)) {
            Outcome text = server.ask("route", "shop", "mytest.user", "--row", "id=1,name=tom");
            assertThat(text.exitCode()).as(text.output()).isZero();
            assertThat(text.output())
                    .contains("  topic  rest\n", "no rule is for this table")
                    .contains("  row    id=1,name=tom: hash -1059168931, partition 1\n");

            Outcome json = server.ask("route", "--json", "shop", "Shop.Orders", "shop");
            assertThat(json.exitCode()).as(json.output()).isZero();
            JsonNode tables = new ObjectMapper().readTree(json.output()).get("tables");
            assertThat(tables).hasSize(2);
            assertThat(tables.get(0).get("topic").asText()).isEqualTo("live_shop_orders");
            assertThat(tables.get(0).get("topicReason").get("rule").asText())
                    .isEqualTo("live_${schema}_${table}:shop\\..*");
            assertThat(tables.get(1).get("topic").asText()).isEqualTo("rest");

            assertThat(server.ask("route", "shop").exitCode()).isEqualTo(1);
            assertThat(server.ask("help", "route").output()).contains("route [--json] [--row=COLUMN=VALUE,...]");
        }
    }
}
