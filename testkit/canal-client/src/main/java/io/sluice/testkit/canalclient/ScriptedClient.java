package io.sluice.testkit.canalclient;

import com.alibaba.otter.canal.client.CanalConnector;
import com.alibaba.otter.canal.client.CanalConnectors;
import com.alibaba.otter.canal.protocol.CanalEntry;
import com.alibaba.otter.canal.protocol.Message;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * Does with canal's client what lines on its standard input request, and prints the outcome.
 *
 * <pre>
 *   connect | subscribe &lt;filter&gt; | unsubscribe | get &lt;size&gt; &lt;millis&gt; | ack &lt;id&gt; | rollback &lt;id&gt; | disconnect
 * </pre>
 *
 * <p>The answer is {@code ok}, or {@code batch <id> <entries>} with a line of Base64 for each entry, or {@code error <text>}.
 */
public final class ScriptedClient {
    private final CanalConnector connector;
    private final PrintStream out;

    private ScriptedClient(CanalConnector connector, PrintStream out) {
        this.connector = connector;
        this.out = out;
    }

    /** Arguments: host or ZooKeeper, port or "zk", destination, user, password. */
    public static void main(String[] args) throws IOException {
        CanalConnector connector = args[1].equals("zk")
                ? CanalConnectors.newClusterConnector(args[0], args[2], args[3], args[4])
                : CanalConnectors.newSingleConnector(
                        new InetSocketAddress(args[0], Integer.parseInt(args[1])), args[2], args[3], args[4]);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        ScriptedClient client = new ScriptedClient(connector, out);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            try {
                client.run(line.split(" ", 3));
            } catch (RuntimeException e) {
                out.println("error " + String.valueOf(e).replaceAll("\\R", " "));
            }
            out.flush();
        }
        System.exit(0);
    }

    private void run(String[] words) {
        String argument = words.length > 1 ? words[1] : "";
        switch (words[0]) {
            case "connect" -> connector.connect();
            case "subscribe" -> connector.subscribe(argument);
            case "unsubscribe" -> connector.unsubscribe();
            case "ack" -> connector.ack(Long.parseLong(argument));
            case "disconnect" -> connector.disconnect();
            case "rollback" -> {
                if (argument.equals("0")) {
                    connector.rollback();
                } else {
                    connector.rollback(Long.parseLong(argument));
                }
            }
            case "get" -> {
                print(get(Integer.parseInt(argument), Long.parseLong(words[2])));
                return;
            }
            default -> throw new IllegalArgumentException("what is " + words[0] + "?");
        }
        out.println("ok");
    }

    private Message get(int size, long millis) {
        return millis < 0
                ? connector.getWithoutAck(size)
                : connector.getWithoutAck(size, millis, TimeUnit.MILLISECONDS);
    }

    private void print(Message message) {
        Base64.Encoder base64 = Base64.getEncoder();
        out.println("batch " + message.getId() + " " + message.getEntries().size());
        for (CanalEntry.Entry entry : message.getEntries()) {
            out.println(base64.encodeToString(entry.toByteArray()));
        }
    }
}
