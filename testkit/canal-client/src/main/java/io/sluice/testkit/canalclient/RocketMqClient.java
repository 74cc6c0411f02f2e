package io.sluice.testkit.canalclient;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONWriter;
import com.alibaba.otter.canal.client.rocketmq.RocketMQCanalConnector;
import com.alibaba.otter.canal.protocol.CanalEntry;
import com.alibaba.otter.canal.protocol.FlatMessage;
import com.alibaba.otter.canal.protocol.Message;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Reads a topic of RocketMQ with canal's client, from the offset of its group, until a change of a certain table has come. Prints a
 * line for each message as the client has understood it: its entry in Base64, or, of flat messages, the message as JSON.
 */
public final class RocketMqClient {
    private RocketMqClient() {}

    /** Arguments: name server, topic, group, whether messages are flat, and the last table: {@code schema.table}. */
    public static void main(String[] args) {
        boolean flat = Boolean.parseBoolean(args[3]);
        System.setProperty("rocketmq.client.logUseSlf4j", "true"); // else it writes files below the user's home
        RocketMQCanalConnector connector = new RocketMQCanalConnector(args[0], args[1], args[2], 100, flat);
        connector.connect();
        connector.subscribe();
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        boolean ended = false;
        while (!ended) {
            ended = flat ? printFlat(connector, out, args[4]) : printEntries(connector, out, args[4]);
            connector.ack();
        }
        out.flush();
        connector.disconnect();
        System.exit(0);
    }

    private static boolean printFlat(RocketMQCanalConnector connector, PrintStream out, String lastTable) {
        boolean ended = false;
        for (FlatMessage message : some(connector.getFlatListWithoutAck(100L, TimeUnit.MILLISECONDS))) {
            out.println(JSON.toJSONString(message, JSONWriter.Feature.WriteMapNullValue));
            ended |= !message.getIsDdl() && lastTable.equals(message.getDatabase() + "." + message.getTable());
        }
        return ended;
    }

    private static boolean printEntries(RocketMQCanalConnector connector, PrintStream out, String lastTable) {
        boolean ended = false;
        for (Message message : some(connector.getListWithoutAck(100L, TimeUnit.MILLISECONDS))) {
            for (CanalEntry.Entry entry : message.getEntries()) {
                out.println(Base64.getEncoder().encodeToString(entry.toByteArray()));
                CanalEntry.Header header = entry.getHeader();
                ended |= header.getEventType() == CanalEntry.EventType.INSERT
                        && lastTable.equals(header.getSchemaName() + "." + header.getTableName());
            }
        }
        return ended;
    }

    /** It has null when nothing came. */
    private static <T> List<T> some(List<T> messages) {
        return messages == null ? List.of() : messages;
    }
}
