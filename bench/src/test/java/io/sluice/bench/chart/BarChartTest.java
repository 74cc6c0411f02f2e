package io.sluice.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class BarChartTest {
    @Test
    void isWellFormedWhateverTheTextsHold() throws Exception {
        Document svg = parse(chart(new Bar("a<b>&\"c\"", Paint.MAIN, 1, 1, List.of(), "1 & 2 < 3")));

        assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(texts(svg)).contains("a<b>&\"c\"", "1 & 2 < 3", "title", "group", "subgroup", "legend");
    }

    @Test
    void barsAndMarksAreOnOneScale() throws Exception {
        Document svg = parse(chart(
                new Bar("half", Paint.MAIN, 50, 50, List.of(), "50"),
                new Bar("whole", Paint.OTHER, 75, 100, List.of(new Mark(Paint.LIMIT, 50)), "75–100")));

        List<Double> widths = new ArrayList<>();
        List<Element> rects = elements(svg, "rect");
        for (Element rect : rects) {
            if (rect.getAttribute("height").equals("11") && !rect.hasAttribute("rx")) {
                widths.add(Double.valueOf(rect.getAttribute("width")));
            }
        }
        assertThat(widths).containsExactly(250.0, 375.0, 125.0);
        assertThat(elements(svg, "line").stream()
                        .filter(line -> line.getAttribute("class").startsWith("mark limit"))
                        .map(line -> line.getAttribute("x1")))
                .contains("490");
    }

    @Test
    void needsNothingFromElsewhereAndKnowsDarkPages() {
        String svg = chart(new Bar("a", Paint.MAIN, 1, 1, List.of(), "1"));

        assertThat(svg.replace("http://www.w3.org/2000/svg", ""))
                .doesNotContain("http", "<script", "url(", "@import")
                .contains("prefers-color-scheme: dark");
    }

    @Test
    void ticksAreRoundNumbers() {
        assertThat(Scale.upTo(327_000).ticks())
                .containsExactly(0.0, 50_000.0, 100_000.0, 150_000.0, 200_000.0, 250_000.0, 300_000.0, 350_000.0);
        assertThat(Scale.upTo(68).ticks()).containsExactly(0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0);
        assertThat(Scale.upTo(0).end()).isEqualTo(1.0);
        assertThat(Scale.text(350_000)).isEqualTo("350 k");
        assertThat(Scale.text(0.25)).isEqualTo("0.25");
    }

    @Test
    void noBarGoesBackwards() {
        assertThatThrownBy(() -> new Bar("a", Paint.MAIN, 2, 1, List.of(), ""))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String chart(Bar... bars) {
        return new BarChart(
                        "title",
                        "subtitle",
                        List.of(new BarChart.Legend(Paint.MAIN, false, "legend")),
                        List.of(new BarGroup("group", "subgroup", List.of(bars))))
                .svg();
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> texts(Document svg) {
        return elements(svg, "text").stream().map(Element::getTextContent).toList();
    }

    private static List<Element> elements(Document svg, String name) {
        NodeList nodes = svg.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }
}
