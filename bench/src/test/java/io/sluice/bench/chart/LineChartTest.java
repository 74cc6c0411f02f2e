package io.sluice.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class LineChartTest {
    private static final LineChart CHART = new LineChart(
            "cost & <growth>",
            "ns",
            "tables",
            true,
            List.of(line("raw", new double[][] {{1, 100}, {100, 180}, {10_000, 240}}), line("flat", new double[][] {
                {1, 90}, {10_000, 120}
            })));

    @Test
    void aLogarithmicAxisGivesEachTenfoldStepTheSameWidth() {
        assertThat(CHART.share(1)).isZero();
        assertThat(CHART.share(100)).isEqualTo(0.5);
        assertThat(CHART.share(10_000)).isEqualTo(1);
    }

    @Test
    void theTopIsARoundNumberThatNoValueExceeds() {
        assertThat(CHART.top()).isEqualTo(250);
        assertThat(one(0.03).top()).isEqualTo(0.05);
        assertThat(one(1000).top()).isEqualTo(1000);
        assertThat(one(0).top()).isEqualTo(1);
    }

    @Test
    void theOnlyPlaceIsInTheMiddle() {
        assertThat(one(3).share(7)).isEqualTo(0.5);
    }

    @Test
    void aSheetIsAPictureWithAPointForEachFigure() throws Exception {
        String svg = ChartSheet.svg(List.of(CHART, one(3), one(4), one(5)));

        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(document.getElementsByTagName("circle").getLength()).isEqualTo(5 + 3);
        assertThat(document.getElementsByTagName("polyline").getLength()).isEqualTo(2 + 3);
        assertThat(svg).contains("cost &amp; &lt;growth&gt;");
    }

    @Test
    void aPlaceIsNotNamedWhereItsNameWouldStandInAnother() {
        LineChart rows = new LineChart("rows", "ns", "millions", false, List.of(line("raw", new double[][] {
            {0.25, 3}, {0.5, 2}, {4, 2}
        })));

        assertThat(ChartSheet.svg(List.of(rows)))
                .contains(">0.25</text>", ">4</text>")
                .doesNotContain(">0.50</text>");
    }

    @Test
    void aChartHasAPoint() {
        assertThatThrownBy(() -> new LineChart("empty", "", "", false, List.of()))
                .hasMessageContaining("empty");
    }

    private static LineChart one(double value) {
        return new LineChart("one", "", "", false, List.of(line("raw", new double[][] {{7, value}})));
    }

    private static LineChart.Line line(String name, double[][] points) {
        return new LineChart.Line(
                name,
                java.util.Arrays.stream(points)
                        .map(point -> new LineChart.Point(point[0], point[1]))
                        .toList());
    }
}
