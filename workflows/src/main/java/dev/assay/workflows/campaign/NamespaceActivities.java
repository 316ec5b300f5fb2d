package dev.assay.workflows.campaign;

import dev.assay.workflows.NamePrefix;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;

/** The activities by which a campaign's workflow uses its Temporal namespace. */
@ActivityInterface
public interface NamespaceActivities {

    /**
     * The names of those of {@link CampaignAttributes#ALL} that the namespace knows now, with their types. Called as a local activity,
     * so that its answer and the attributes that are set for it stand or fall together.
     *
     * @param prefix of the names there; the answer is without
     */
    @ActivityMethod(name = "searchAttributes")
    List<String> searchAttributes(NamePrefix prefix);
}
