package io.sluice.deployer.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricNamesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            up                                                              | up
            up{job="sluice"} == 0                                           | up
            sum by (le, job) (rate(a_bucket{b=~"c-d}"}[5m])) / 1e3          | a_bucket
            rate(a[5m] offset 1h) > bool 0 and on (b) c unless d            | a, c, d
            a / ignoring (b) group_left (c) d                               | a, d
            max(a) without (b) or vector(0)                                 | a
            label_replace(job:a:sum, "b", "$1", "c", "(.*)") + 1.5 * a_total | a_total, job:a:sum
            """)
    void namesAreNeitherLabelsNorFunctionsNorWordsOfTheLanguage(String expression, String names) {
        assertThat(String.join(", ", MetricNames.of(expression))).isEqualTo(names);
    }
}
