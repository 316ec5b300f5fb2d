package dev.assay.activities.replay;

import dev.assay.domain.replay.CassetteEntry;
import java.util.List;
import java.util.Optional;

/** The source of recorded answers. */
public interface CassetteSource {

    /**
     * The recorded answer of a cassette.
     *
     * @param key what is asked (see {@link dev.assay.domain.replay.RequestKey})
     * @param trial the trial in which it is asked, from 1
     */
    Optional<CassetteEntry> find(String cassetteId, String key, int trial);

    /** The trials for which {@code key} was recorded, ascending; empty when it never was. */
    List<Integer> recordedTrials(String cassetteId, String key);
}
