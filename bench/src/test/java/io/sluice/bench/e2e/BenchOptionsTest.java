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

    @ParameterizedTest
    @ValueSource(strings = {"--runs", "--runs 0", "--runs x", "--mode yaml", "--fast", "--peers-only"})
    void saysWhatIsWrong(String line) {
        assertThatThrownBy(() -> BenchOptions.parse(List.of(line.split(" "))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(line.split(" ")[0]);
    }
}
