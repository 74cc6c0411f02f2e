package io.sluice.store.ring;

/**
 * What a store holds and has done, as of one moment: {@code acked <= got <= put}.
 *
 * @param put what the parser put
 * @param got what was handed out; a rollback sets it back to {@code acked}
 * @param acked what was acked, and is therefore freed
 * @param slots how many entries the store can hold
 * @param capacityBytes how many bytes of entries it can hold
 */
public record StoreStats(StoreProgress put, StoreProgress got, StoreProgress acked, int slots, long capacityBytes) {}
