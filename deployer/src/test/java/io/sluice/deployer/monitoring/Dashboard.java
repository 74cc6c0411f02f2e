package io.sluice.deployer.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The dashboard that the package has.
 *
 * @param json as Grafana reads it
 * @param panels its headings and its panels
 */
public record Dashboard(JsonNode json, List<Panel> panels) {
    static final Path FILE = Path.of("src/main/package/conf/metrics/sluice-dashboard.json");
    /** How wide Grafana's grid is. */
    static final int COLUMNS = 24;

    /**
     * One of its panels.
     *
     * @param json as Grafana reads it
     * @param expressions what it asks Prometheus for, variables included
     */
    public record Panel(int id, String title, String type, Place place, List<String> expressions, JsonNode json) {
        private static Panel of(JsonNode json) {
            JsonNode grid = json.path("gridPos");
            List<String> expressions = new ArrayList<>();
            json.path("targets")
                    .forEach(target -> expressions.add(target.path("expr").asText()));
            return new Panel(
                    json.path("id").asInt(),
                    json.path("title").asText(),
                    json.path("type").asText(),
                    new Place(
                            grid.path("x").asInt(-1),
                            grid.path("y").asInt(-1),
                            grid.path("w").asInt(),
                            grid.path("h").asInt()),
                    List.copyOf(expressions),
                    json);
        }

        /** Whether it is the heading of those below it. */
        boolean isHeading() {
            return "row".equals(type);
        }

        @Override
        public String toString() {
            return "panel %d, %s".formatted(id, title);
        }
    }

    /** Where a panel is in the grid. */
    public record Place(int x, int y, int width, int height) {
        boolean overlaps(Place other) {
            return x < other.x + other.width
                    && other.x < x + width
                    && y < other.y + other.height
                    && other.y < y + height;
        }
    }

    /** Reads the file. */
    public static Dashboard read() throws IOException {
        JsonNode json = new ObjectMapper().readTree(FILE.toFile());
        List<Panel> panels = new ArrayList<>();
        json.path("panels").forEach(panel -> panels.add(Panel.of(panel)));
        return new Dashboard(json, List.copyOf(panels));
    }

    /** What all panels ask for. */
    public List<String> expressions() {
        return panels.stream().flatMap(panel -> panel.expressions().stream()).toList();
    }

    /** An expression as Prometheus gets it, of all servers and instances. */
    public static String filledIn(String expression) {
        return expression
                .replace("$__rate_interval", "1m")
                .replace("$instance", ".+")
                .replace("$destination", ".*");
    }
}
