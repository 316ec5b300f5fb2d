package dev.assay.domain.campaign;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.delivery.DeliveryWish;

/** An agent that grades checks, and the way in which it wants to be asked. */
public record CheckGrader(Agent agent, DeliveryWish delivery) {

    /** A grader that is asked live. */
    public CheckGrader(Agent agent) {
        this(agent, DeliveryWish.LIVE);
    }
}
