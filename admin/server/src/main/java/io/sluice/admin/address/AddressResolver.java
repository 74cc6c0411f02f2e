package io.sluice.admin.address;

import io.netty.util.NetUtil;
import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Looks up the addresses of hosts, and checks them. What it answers is what is connected to, so that a name cannot mean something else a
 * moment later. Each name that is looked up has a thread that waits for name servers, and other requests for the same name meanwhile get its answer; what is too much fails.
 * Addresses as text need no name server. Thread-safe.
 */
@Component
public class AddressResolver {
    /** Names of which the name servers do not answer hold up no others, unless there are so many. */
    private static final int THREADS = 64;

    private static final int MAX_WAITING = 500;
    private static final long IDLE_SECONDS = 30;

    private final NameService names;
    private final Map<String, CompletableFuture<InetAddress[]>> lookups = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING), work -> {
                Thread thread = new Thread(work, "fleet-names");
                thread.setDaemon(true);
                return thread;
            });

    /** Waits for all addresses of a host. */
    @FunctionalInterface
    interface NameService {
        InetAddress[] lookUp(String host) throws UnknownHostException;
    }

    @Autowired
    AddressResolver() {
        this(InetAddress::getAllByName);
    }

    AddressResolver(NameService names) {
        this.names = names;
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
        CompletableFuture<InetAddress> result =
                new CompletableFuture<>(); // a caller that gives up completes its own only
        CompletableFuture<InetAddress[]> unused = addresses(host).whenComplete((all, failure) -> {
            try {
                if (failure != null) {
                    result.completeExceptionally(failure);
                } else {
                    result.complete(checked(host, all, onlyLoopback));
                }
            } catch (IOException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private CompletableFuture<InetAddress[]> addresses(String host) {
        CompletableFuture<InetAddress[]> made = new CompletableFuture<>();
        if (isAddress(host)) {
            lookUp(host, made);
            return made;
        }
        CompletableFuture<InetAddress[]> underWay = lookups.putIfAbsent(host, made);
        if (underWay != null) {
            return underWay;
        }
        try {
            threads.execute(() -> lookUp(host, made));
        } catch (RejectedExecutionException e) {
            lookups.remove(host, made);
            made.completeExceptionally(new IOException(
                    "name servers do not answer: too many names wait for them. Look at the DNS of this machine", e));
        } catch (RuntimeException | Error e) { // no thread can be started: a later call tries again
            lookups.remove(host, made);
            made.completeExceptionally(e);
            throw e;
        }
        return made;
    }

    /** Whether no name server is needed. */
    private static boolean isAddress(String host) {
        return NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
    }

    private void lookUp(String host, CompletableFuture<InetAddress[]> result) {
        try {
            InetAddress[] all = names.lookUp(host);
            lookups.remove(host, result);
            result.complete(all);
        } catch (UnknownHostException e) {
            lookups.remove(host, result);
            result.completeExceptionally(new IOException(
                    "the host %s has no address: check its name, and the DNS of this machine".formatted(host), e));
        } catch (RuntimeException | Error e) {
            lookups.remove(host, result);
            result.completeExceptionally(e);
        }
    }

    private static InetAddress checked(String host, InetAddress[] all, boolean onlyLoopback) throws IOException {
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
