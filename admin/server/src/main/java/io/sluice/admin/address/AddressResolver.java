package io.sluice.admin.address;

import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/**
 * Looks up the addresses of hosts, and checks them. What it answers is what is connected to, so that a name cannot mean something else a
 * moment later. A few threads wait for name servers; what is too much for them fails. Thread-safe.
 */
@Component
public class AddressResolver {
    private static final int THREADS = 8;
    private static final int MAX_WAITING = 500;
    private static final long IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING), work -> {
                Thread thread = new Thread(work, "fleet-names");
                thread.setDaemon(true);
                return thread;
            });

    AddressResolver() {
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Looks up the address of a host.
     *
     * @param host a name, or an address as text
     * @param onlyLoopback whether it must be this machine
     * @return the first of its addresses; fails with an {@link IOException} whose message can be shown, with
     *     {@link AddressRejectedException} if any of them is one that is not connected to
     */
    public CompletableFuture<InetAddress> resolve(String host, boolean onlyLoopback) {
        CompletableFuture<InetAddress> result = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                try {
                    result.complete(resolveNow(host, onlyLoopback));
                } catch (IOException | RuntimeException e) {
                    result.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(new IOException(
                    "name servers do not answer: too many names wait for them. Look at the DNS of this machine", e));
        }
        return result;
    }

    private static InetAddress resolveNow(String host, boolean onlyLoopback) throws IOException {
        InetAddress[] all;
        try {
            all = InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new IOException(
                    "the host %s has no address: check its name, and the DNS of this machine".formatted(host), e);
        }
        for (InetAddress address : all) {
            AddressRules.check(host, address);
            if (onlyLoopback && !address.isLoopbackAddress()) {
                throw new AddressRejectedException(
                        "%s is not this machine, and the token would travel in clear: use https, or set sluice.admin.allow-plain-control=true where the network is trusted"
                                .formatted(host));
            }
        }
        return all[0];
    }

    @PreDestroy
    void close() {
        threads.shutdownNow();
    }
}
