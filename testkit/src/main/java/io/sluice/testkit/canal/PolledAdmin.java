package io.sluice.testkit.canal;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Answers the questions that a server asks canal-admin 1.1.8 for its configuration, as that one does, on a port of this machine. It can
 * be closed and opened again on the same port. Thread-safe.
 */
public final class PolledAdmin implements AutoCloseable {
    /** What is expected as the hexadecimal SHA1(SHA1(password)). */
    public static final String PASSWORD = "0123456789abcdef0123456789ABCDEF01234567";

    /** The user that is expected. */
    public static final String USER = "admin";

    private static final String ROOT = "/api/v1/config/";

    private final List<String> questions = new CopyOnWriteArrayList<>();
    private final Map<String, String> instances = new LinkedHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(PolledAdmin::thread);
    private @Nullable String server;
    private boolean registered = true;
    private boolean hasList = true;
    private @Nullable Fault fault;
    private Delay delay = question -> {};
    private HttpServer http;

    /** What is answered instead of the contract's answers. */
    @FunctionalInterface
    public interface Fault {
        /** Answers a question; what it throws closes the connection. */
        void answer(HttpExchange question) throws IOException;
    }

    /** Takes time before a question is answered. */
    @FunctionalInterface
    public interface Delay {
        /** Returns when the question may be answered. */
        void await(URI question) throws InterruptedException;
    }

    private PolledAdmin(int port) throws IOException {
        http = listen(port);
    }

    /** Starts one that knows no texts. */
    public static PolledAdmin start() {
        try {
            return new PolledAdmin(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "polled-admin");
        thread.setDaemon(true);
        return thread;
    }

    private HttpServer listen(int port) throws IOException {
        HttpServer next = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        next.createContext("/", this::answer);
        next.setExecutor(threads);
        next.start();
        return next;
    }

    /** {@code host:port}. */
    public synchronized String address() {
        return "127.0.0.1:" + http.getAddress().getPort();
    }

    /** Stops to listen. */
    public synchronized void goDown() {
        http.stop(0);
    }

    /** Listens again, on the same port. */
    public synchronized void comeBack() {
        try {
            http = listen(http.getAddress().getPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sets the {@code canal.properties}; null: none. */
    public synchronized void server(@Nullable String text) {
        server = text;
    }

    /** Sets the {@code instance.properties} of an instance that is enabled; null: it has none. */
    public synchronized void instance(String destination, @Nullable String text) {
        instances.put(destination, text == null ? "" : text);
    }

    /** Removes an instance. */
    public synchronized void remove(String destination) {
        instances.remove(destination);
    }

    /** Forgets the server that asks, until it registers. */
    public synchronized void forget() {
        registered = false;
    }

    /** Does not state which instances there are. */
    public synchronized void hideList() {
        hasList = false;
    }

    /** Has everything be answered otherwise; null: by the contract again. */
    public synchronized void fail(@Nullable Fault other) {
        fault = other;
    }

    /** Has everything be answered after a delay. */
    public synchronized void before(Delay next) {
        delay = next;
    }

    /** Has everything be answered by some bytes. */
    public void answerBy(int status, byte[] body) {
        fail(question -> send(question, status, body));
    }

    /** What was asked, path and query, in order. */
    public List<String> questions() {
        return List.copyOf(questions);
    }

    /** Sends an answer. */
    public static void send(HttpExchange question, int status, byte[] body) throws IOException {
        question.getResponseHeaders().set("Content-Type", "application/json;charset=UTF-8");
        question.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        question.getResponseBody().write(body);
        question.close();
    }

    private void answer(HttpExchange question) throws IOException {
        questions.add(question.getRequestURI().toString());
        Fault other;
        Delay before;
        synchronized (this) {
            other = fault;
            before = delay;
        }
        try {
            before.await(question.getRequestURI());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the admin server is closed");
        }
        if (other != null) {
            other.answer(question);
            return;
        }
        String body = USER.equals(question.getRequestHeaders().getFirst("user"))
                        && PASSWORD.equals(question.getRequestHeaders().getFirst("passwd"))
                ? "{\"code\":20000,\"message\":null,\"data\":" + data(question) + "}"
                : "{\"code\":50000,\"message\":\"auth :"
                        + question.getRequestHeaders().getFirst("user") + " is failed\",\"data\":null}";
        send(question, 200, body.getBytes(StandardCharsets.UTF_8));
    }

    private synchronized String data(HttpExchange question) {
        Map<String, String> query = query(question.getRequestURI().getRawQuery());
        String path = question.getRequestURI().getPath();
        String md5 = query.getOrDefault("md5", "");
        if (path.equals(ROOT + "server_polling")) {
            if (md5.isEmpty() && query.getOrDefault("register", "").equals("1")) {
                registered = true;
            }
            return !registered || server == null || md5.equals(md5(server))
                    ? "null"
                    : "{\"id\":1,\"clusterId\":null,\"serverId\":1,\"name\":\"canal.properties\",\"content\":"
                            + quoted(server)
                            + ",\"contentMd5\":\"" + md5(server)
                            + "\",\"status\":\"1\",\"modifiedTime\":\"2026-03-01 10:00:00\"}";
        }
        if (path.equals(ROOT + "instances_polling")) {
            return !hasList
                    ? "null"
                    : "{\"id\":null,\"name\":null,\"content\":" + quoted(String.join(",", instances.keySet()))
                            + ",\"contentMd5\":null,\"status\":null}";
        }
        String text = path.startsWith(ROOT + "instance_polling/")
                ? instances.get(path.substring((ROOT + "instance_polling/").length()))
                : null;
        if (text == null) {
            return "null";
        }
        return "{\"id\":2,\"name\":\"x\",\"content\":" + (md5.equals(md5(text)) ? "null" : quoted(text))
                + ",\"contentMd5\":\"" + md5(text) + "\",\"status\":\"1\"}";
    }

    private static Map<String, String> query(@Nullable String text) {
        Map<String, String> values = new HashMap<>();
        for (String part : (text == null ? "" : text).split("&")) {
            int at = part.indexOf('=');
            if (at > 0) {
                values.put(part.substring(0, at), URLDecoder.decode(part.substring(at + 1), StandardCharsets.UTF_8));
            }
        }
        return values;
    }

    private static String md5(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append("\\u%04x".formatted((int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    @Override
    public synchronized void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
