package io.sluice.server.instance;

import io.sluice.schema.filter.TableFilter;
import io.sluice.server.config.InstanceConfig;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.ring.EntryStore;
import io.sluice.stream.source.BinlogSource;
import java.util.function.Consumer;

/** Makes what takes the entries out of an instance's store. */
interface DeliveryFactory {
    /** What an instance is wired of when its delivery is made. */
    record Parts(
            InstanceConfig config,
            EntryStore store,
            CursorStore cursors,
            BinlogSource source,
            TableFilter tables,
            Consumer<Throwable> onFailure) {}

    Delivery make(Parts parts);
}
