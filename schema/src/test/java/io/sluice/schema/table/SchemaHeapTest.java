package io.sluice.schema.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.mysql.wire.error.ResultTooLargeException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SchemaHeapTest {
    private static final TableSchema TABLE = new TableSchema(
            new TableName("shop", "t"), List.of(new ColumnSchema("c", "int", false, false, null)), null);
    private static final long KEPT = TableHeap.bytes(TABLE);

    /** With room for its snapshot. */
    private static final long RECORDED = KEPT + 7L * TableText.of(TABLE).length() / 2;

    private static SchemaHeap.Step step(SchemaHeap heap) {
        return heap.step("the schemas of 9 tables", "look there; ", true);
    }

    private static int fitting(SchemaHeap heap) {
        int count = 0;
        try (SchemaHeap.Step step = step(heap)) {
            while (true) {
                step.add(TABLE, 1);
                count++;
            }
        } catch (ResultTooLargeException e) {
            return count;
        }
    }

    @Test
    void tablesHaveRoomWithTheSnapshotThatIsMadeOfThem() {
        assertThat(fitting(new SchemaHeap(3 * RECORDED))).isEqualTo(3);
        assertThat(fitting(new SchemaHeap(3 * RECORDED - 1))).isEqualTo(2);
    }

    @Test
    void withoutASchemaHistoryThereIsNoSnapshot() throws ResultTooLargeException {
        SchemaHeap heap = new SchemaHeap(3 * KEPT);
        try (SchemaHeap.Step step = heap.step("the schemas", "", false)) {
            step.add(TABLE, 1);
            step.add(TABLE, 1);
            step.add(TABLE, 1);
            assertThatExceptionOfType(ResultTooLargeException.class).isThrownBy(() -> step.add(TABLE, 1));
        }
    }

    /** As of a table with a member list of megabytes, whose schema takes hardly more than its text. */
    @Test
    void aLongTextHasRoomWhenItIsReadAgain() throws ResultTooLargeException {
        ColumnSchema column = new ColumnSchema("c", "x".repeat(100_000), false, false, null);
        TableSchema table = new TableSchema(new TableName("shop", "t"), List.of(column), null);
        SchemaHeap heap = new SchemaHeap(500_000);
        try (SchemaHeap.Step step = step(heap)) {
            assertThatExceptionOfType(ResultTooLargeException.class).isThrownBy(() -> step.add(table, 1));
        }
        SchemaHeap larger = new SchemaHeap(570_000);
        try (SchemaHeap.Step step = step(larger)) {
            step.add(table, 1);
        }
        try (SchemaHeap.Step step = step(larger)) {
            assertThat(step.addText(TableText.of(table))).isTrue();
        }
    }

    /** As far as it is known from those that were added. */
    @Test
    void whatHasNoRoomNamesTheHeapThatHas() throws ResultTooLargeException {
        SchemaHeap heap = new SchemaHeap(RECORDED);
        try (SchemaHeap.Step step = step(heap)) {
            step.add(TABLE, 0.000_001);

            ResultTooLargeException thrown =
                    catchThrowableOfType(ResultTooLargeException.class, () -> step.add(TABLE, 0.000_002));

            long all = RECORDED * 1_000_000 >> 20;
            assertThat(thrown.excess())
                    .isEqualTo("the schemas of 9 tables need about %d MiB of heap, and there are 0 MiB for them"
                            .formatted(all + 1));
            assertThat(thrown.remedy()).startsWith("look there; raise -Xmx to ").endsWith("m");
            long heapMebibytes = Long.parseLong(thrown.remedy().replaceAll("\\D", ""));
            assertThat(heapMebibytes * 7 / 10).isBetween(all + 4, all + 20);
        }
    }

    /** What the others take when they have it is not known. */
    @Test
    void whatHasNoRoomBesideOthersNamesThem() throws ResultTooLargeException {
        Set<SchemaHeap> neighbours = SchemaHeap.neighbours();
        long limit = 4 << 20;
        SchemaHeap one = new SchemaHeap(limit, neighbours);
        fitting(one);

        try (SchemaHeap.Step step = step(new SchemaHeap(limit, neighbours))) {
            ResultTooLargeException thrown =
                    catchThrowableOfType(ResultTooLargeException.class, () -> step.add(TABLE, 1));

            assertThat(thrown.excess()).contains(", of which other instances take ");
            assertThat(thrown.remedy())
                    .startsWith("look there; start fewer instances in this process, or raise -Xmx to more than ");
            assertThat(thrown.isOfProcess()).isTrue();
        }
    }

    @Test
    void otherInstancesHaveTheirPart() throws ResultTooLargeException {
        Set<SchemaHeap> neighbours = SchemaHeap.neighbours();
        SchemaHeap one = new SchemaHeap(6 * RECORDED, neighbours);
        SchemaHeap other = new SchemaHeap(6 * RECORDED, neighbours);
        SchemaHeap third = new SchemaHeap(6 * RECORDED, neighbours);
        try (SchemaHeap.Step step = step(one)) {
            step.add(TABLE, 1);
            step.add(TABLE, 1);
            assertThat(fitting(other)).as("beside a step").isEqualTo(4);
            other.release();
        }
        assertThat(fitting(other)).as("beside its next step").isEqualTo(4);
        other.release();
        try (SchemaHeap.Step step = step(third)) {
            step.add(TABLE, 1);
        }
        // Only one of the two that are between steps is expected to write a snapshot at the same time.
        assertThat(fitting(other)).isEqualTo((int) ((6 * RECORDED - 2 * RECORDED - KEPT) / RECORDED));

        one.release();
        third.release();
        assertThat(fitting(other)).as("alone").isEqualTo(6);
    }
}
