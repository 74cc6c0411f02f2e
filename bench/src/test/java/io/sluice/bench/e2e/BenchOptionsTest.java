package io.sluice.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchOptionsTest {
    @Test
    void withoutOptionsBothFormsOfTheMixedWorkloadAreMeasuredOnce() {
        BenchOptions options = BenchOptions.parse(List.of());

        assertThat(options.workloads()).containsExactly(Workload.usual(WorkloadKind.MIXED));
        assertThat(options.forms()).containsExactly(Form.RAW, Form.FLAT);
        assertThat(options.runs()).isEqualTo(1);
        assertThat(options.own()).isTrue();
    }

    @Test
    void rowsScaleAllWorkloads() {
        BenchOptions options = BenchOptions.parse(List.of("--workload", "both", "--rows", "5000"));

        assertThat(options.workloads()).extracting(Workload::rows).containsExactly(5_000L, 5_000L);
    }

    @Test
    void allCellsAreEveryWorkloadFormLayoutAndCompression() {
        BenchOptions options = BenchOptions.parse(List.of("--cells", "all"));

        assertThat(options.workloads()).extracting(Workload::kind).containsExactly(WorkloadKind.values());
        assertThat(options.cells(options.workloads().get(0)))
                .hasSize(2 * 3 * 2)
                .doesNotHaveDuplicates()
                .contains(new Cell(options.workloads().get(0), Form.FLAT, Layout.HASHED, Compression.LZ4));
    }

    @Test
    void oneLayoutMayBeChosen() {
        BenchOptions options = BenchOptions.parse(List.of("--layout", "topics", "--mode", "raw", "--limits"));

        assertThat(options.cells(options.workloads().get(0)))
                .containsExactly(new Cell(options.workloads().get(0), Form.RAW, Layout.TOPICS, Compression.NONE));
        assertThat(options.limits()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--runs",
                "--runs 0",
                "--runs x",
                "--mode yaml",
                "--fast",
                "--layout 2x2",
                "--cells some",
                "--profile",
                "--profile out --peers-only --peer some.sh",
                "--profile out --from figures.json",
                "--peers-only"
            })
    void saysWhatIsWrong(String line) {
        assertThatThrownBy(() -> BenchOptions.parse(List.of(line.split(" "))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(line.split(" ")[0]);
    }
}
