package io.sluice.testkit.canalclient;

import com.alibaba.otter.canal.client.CanalConnector;
import com.alibaba.otter.canal.client.CanalConnectors;
import com.alibaba.otter.canal.protocol.CanalEntry;
import com.alibaba.otter.canal.protocol.Message;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Pulls with canal's client as fast as it goes, until an entry with a certain word has come, and prints how fast that was:
 * {@code <rows> <entries> <batches> <milliseconds from the first batch to the last>}.
 */
public final class RateClient {
    private RateClient() {}

    /** Arguments: port, destination, size of a batch, the last word, and whether rows are parsed: true or false. */
    public static void main(String[] args) throws InvalidProtocolBufferException {
        int size = Integer.parseInt(args[2]);
        ByteString word = ByteString.copyFrom(args[3], StandardCharsets.UTF_8);
        boolean parse = Boolean.parseBoolean(args[4]);
        CanalConnector connector = CanalConnectors.newSingleConnector(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), args[1], "", "");
        connector.connect();
        connector.subscribe("");
        long rows = 0;
        long entries = 0;
        long batches = 0;
        long begin = 0;
        boolean ended = false;
        while (!ended) {
            Message message = connector.getWithoutAck(size, 100L, TimeUnit.MILLISECONDS);
            if (message.getId() < 0) {
                continue;
            }
            begin = begin == 0 ? System.nanoTime() : begin;
            batches++;
            for (CanalEntry.Entry entry : message.getEntries()) {
                entries++;
                if (entry.getEntryType() != CanalEntry.EntryType.ROWDATA) {
                    continue;
                }
                rows += parse
                        ? CanalEntry.RowChange.parseFrom(entry.getStoreValue()).getRowDatasCount()
                        : 0;
                ended |= entry.getHeader().getTableName().equals("marker") && contains(entry.getStoreValue(), word);
            }
            connector.ack(message.getId());
        }
        long millis = (System.nanoTime() - begin) / 1_000_000;
        System.out.println(rows + " " + entries + " " + batches + " " + millis);
        connector.disconnect();
        System.exit(0);
    }

    private static boolean contains(ByteString bytes, ByteString word) {
        for (int i = 0; i + word.size() <= bytes.size(); i++) {
            if (bytes.substring(i, i + word.size()).equals(word)) {
                return true;
            }
        }
        return false;
    }
}
