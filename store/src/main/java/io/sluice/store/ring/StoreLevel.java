package io.sluice.store.ring;

import java.time.Duration;

/**
 * How far a store's three verbs have come since it was made, as of one moment: {@code acked <= got <= put}. Costs next to
 * nothing to ask, unlike {@link StoreStats}.
 *
 * @param put how many entries the reader put
 * @param got how many were handed out; a rollback sets it back to {@code acked}
 * @param acked how many were acked
 * @param ackedRows how many rows these had
 * @param waiting for how long a put has waited without room being freed; zero if none waits
 */
public record StoreLevel(long put, long got, long acked, long ackedRows, Duration waiting) {}
