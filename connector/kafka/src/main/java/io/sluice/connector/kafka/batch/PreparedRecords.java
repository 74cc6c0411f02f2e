package io.sluice.connector.kafka.batch;

import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.PreparedBatch;
import java.util.List;

/**
 * Messages as the record batches that carry them.
 *
 * @param messages in the order in which they were given
 * @param batches those of one partition in the order of its messages; they carry all messages
 */
public record PreparedRecords(List<Message> messages, List<RecordBatch> batches) implements PreparedBatch {}
