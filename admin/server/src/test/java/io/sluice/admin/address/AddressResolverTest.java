package io.sluice.admin.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressResolverTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final CountDownLatch nameServersAnswer = new CountDownLatch(1);
    private final Queue<String> lookedUp = new ConcurrentLinkedQueue<>();
    private final AddressResolver resolver = new AddressResolver(this::lookUp);

    /** Names that begin with "dead" wait. */
    private InetAddress[] lookUp(String host) throws UnknownHostException {
        lookedUp.add(host);
        if (host.startsWith("dead")) {
            try {
                nameServersAnswer.await();
            } catch (InterruptedException e) {
                throw new UnknownHostException(host);
            }
        }
        return new InetAddress[] {InetAddress.getByAddress(host, new byte[] {10, 0, 0, 7})};
    }

    @AfterEach
    void close() {
        nameServersAnswer.countDown();
        resolver.close();
    }

    @Test
    void namesWithoutAnAnswerHoldUpNoOthers() {
        List<CompletableFuture<InetAddress>> dead = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            dead.add(resolver.resolve("dead" + i, false));
        }

        assertThat(resolver.resolve("server.example", false)).succeedsWithin(LONG);
        assertThat(dead).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void aNameIsLookedUpOnceForAllThatWantItMeanwhile() {
        List<CompletableFuture<InetAddress>> wanted = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            wanted.add(resolver.resolve("dead", false));
        }
        wanted.get(0).completeExceptionally(new IOException("given up"));
        nameServersAnswer.countDown();

        assertThat(wanted.subList(1, 1_000)).allSatisfy(each -> assertThat(each).succeedsWithin(LONG));
        assertThat(lookedUp).containsExactly("dead");
    }

    @Test
    void aNameIsLookedUpAgainLater() {
        assertThat(resolver.resolve("server.example", false)).succeedsWithin(LONG);
        CompletableFuture<InetAddress> again = resolver.resolve("server.example", false);

        assertThat(again).succeedsWithin(LONG);
        assertThat(lookedUp).containsExactly("server.example", "server.example");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.7", "fe80::7", "::1"})
    void addressesNeedNoNameServer(String address) {
        for (int i = 0; i < 1_000; i++) {
            var unused = resolver.resolve("dead" + i, false);
        }

        assertThat(resolver.resolve(address, false)).isCompleted();
    }

    @Test
    void tooManyNamesAtOnceAreAnError() {
        List<CompletableFuture<InetAddress>> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            all.add(resolver.resolve("dead" + i, false));
        }

        assertThatThrownBy(all.get(999)::join)
                .hasRootCauseInstanceOf(java.util.concurrent.RejectedExecutionException.class)
                .hasMessageContaining("too many names wait");
        nameServersAnswer.countDown();
        assertThat(all.subList(0, 500)).allSatisfy(each -> assertThat(each).succeedsWithin(LONG));
        assertThat(resolver.resolve("dead999", false)).succeedsWithin(LONG);
    }
}
