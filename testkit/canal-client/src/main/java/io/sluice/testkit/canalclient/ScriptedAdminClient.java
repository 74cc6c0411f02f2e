package io.sluice.testkit.canalclient;

import com.alibaba.otter.canal.protocol.AdminPacket;
import com.alibaba.otter.canal.protocol.SecurityUtil;
import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * Manages a server with canal's published packets and its proof of a password, by the lines on its standard input; words are separated by
 * tabs.
 *
 * <pre>
 *   server &lt;action&gt; | instance &lt;destination&gt; &lt;action&gt; | log &lt;type&gt; &lt;action&gt; &lt;destination&gt; &lt;file&gt; &lt;count&gt;
 * </pre>
 *
 * <p>First it prints what came of the login. The answer is {@code <code> <message>}, the message as Base64, or {@code error <text>}. canal's
 * own client, which is not published, sends the same: what is not used as empty texts and 0.
 */
public final class ScriptedAdminClient {
    private static final int TIMEOUT_MILLIS = 3_600_000;

    private final DataInputStream in;
    private final DataOutputStream out;

    private ScriptedAdminClient(Socket socket) throws IOException {
        this.in = new DataInputStream(socket.getInputStream());
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    /** Arguments: host, port, user, password. */
    public static void main(String[] args) throws IOException, NoSuchAlgorithmException {
        PrintStream results = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Socket socket = new Socket(args[0], Integer.parseInt(args[1]))) {
            ScriptedAdminClient client = new ScriptedAdminClient(socket);
            print(results, client.logIn(args[2], args[3]));
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                try {
                    print(results, client.ask(line.split("\t", -1)));
                } catch (IOException | RuntimeException e) {
                    results.println("error " + String.valueOf(e).replaceAll("\\R", " "));
                    results.flush();
                }
            }
        }
    }

    private static void print(PrintStream results, AdminPacket.Ack ack) {
        results.println(ack.getCode() + " "
                + Base64.getEncoder().encodeToString(ack.getMessage().getBytes(StandardCharsets.UTF_8)));
        results.flush();
    }

    private AdminPacket.Ack logIn(String user, String password) throws IOException, NoSuchAlgorithmException {
        AdminPacket.Packet greeting = read(AdminPacket.PacketType.HANDSHAKE);
        if (greeting.getVersion() != 1) {
            throw new IOException("the version is " + greeting.getVersion());
        }
        byte[] seed =
                AdminPacket.Handshake.parseFrom(greeting.getBody()).getSeeds().toByteArray();
        String token =
                SecurityUtil.byte2HexStr(SecurityUtil.scramble411(password.getBytes(StandardCharsets.UTF_8), seed));
        return ask(
                AdminPacket.PacketType.CLIENTAUTHENTICATION,
                AdminPacket.ClientAuth.newBuilder()
                        .setUsername(user)
                        .setPassword(ByteString.copyFromUtf8(token))
                        .setNetReadTimeout(TIMEOUT_MILLIS)
                        .setNetWriteTimeout(TIMEOUT_MILLIS)
                        .build());
    }

    private AdminPacket.Ack ask(String[] words) throws IOException {
        return switch (words[0]) {
            case "server" ->
                ask(
                        AdminPacket.PacketType.SERVER,
                        AdminPacket.ServerAdmin.newBuilder().setAction(words[1]).build());
            case "instance" ->
                ask(
                        AdminPacket.PacketType.INSTANCE,
                        AdminPacket.InstanceAdmin.newBuilder()
                                .setDestination(words[1])
                                .setAction(words[2])
                                .build());
            case "log" ->
                ask(
                        AdminPacket.PacketType.LOG,
                        AdminPacket.LogAdmin.newBuilder()
                                .setType(words[1])
                                .setAction(words[2])
                                .setDestination(words[3])
                                .setFile(words[4])
                                .setCount(Integer.parseInt(words[5]))
                                .build());
            default -> throw new IllegalArgumentException("what is " + words[0] + "?");
        };
    }

    private AdminPacket.Ack ask(AdminPacket.PacketType type, MessageLite body) throws IOException {
        byte[] packet = AdminPacket.Packet.newBuilder()
                .setType(type)
                .setBody(body.toByteString())
                .build()
                .toByteArray();
        out.writeInt(packet.length);
        out.write(packet);
        out.flush();
        return AdminPacket.Ack.parseFrom(read(AdminPacket.PacketType.ACK).getBody());
    }

    private AdminPacket.Packet read(AdminPacket.PacketType type) throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        AdminPacket.Packet packet = AdminPacket.Packet.parseFrom(frame);
        if (packet.getType() != type) {
            throw new IOException("no " + type + " but " + packet.getType());
        }
        return packet;
    }
}
