package io.sluice.stream.source;

import io.sluice.protocol.time.Time;
import io.sluice.stream.source.server.SourceHosts;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.stream.source.server.SourceServers;

/**
 * Makes the phases of a session, with what each of them needs of the parts of a source.
 *
 * @param name the instance's name
 * @param reactions learn that a host is read well
 * @param reconnects what the watch has seen for which a dump is left
 * @param onFailure wakes the thread that waits for the source when a later stage has failed
 */
record Phases(
        String name,
        SourceServers servers,
        SourceHosts hosts,
        SourceQueries queries,
        StreamStages stages,
        Locator locator,
        DumpRequests requests,
        FailureReactions reactions,
        ReconnectRequests reconnects,
        AbandonedDump abandoned,
        SearchedBytes searched,
        Time time,
        Runnable onFailure) {
    /** The phase that a transition leads to. */
    Phase of(Transition.ToPhase next) {
        if (next instanceof Transition.Connect connect) {
            return new Connecting(connect.host(), servers, searched);
        }
        if (next instanceof Transition.Locate locate) {
            return new Locating(name, locate, queries, stages, locator, requests, abandoned, onFailure);
        }
        if (next instanceof Transition.Stream stream) {
            return new Streaming(stream, queries, stages, reactions, reconnects, searched, time);
        }
        if (next instanceof Transition.BackOff backOff) {
            return new BackingOff(backOff, hosts, time);
        }
        if (next instanceof Transition.SwitchHost switchHost) {
            return new SwitchingHost(switchHost, abandoned);
        }
        return new Ended((Transition.End) next);
    }
}
