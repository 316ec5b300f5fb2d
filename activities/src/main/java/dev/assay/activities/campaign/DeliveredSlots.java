package dev.assay.activities.campaign;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.CheckGrader;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.delivery.DeliveryWish;
import dev.assay.domain.judge.Judge;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What of a campaign may go out in batches of providers. A branch that was cancelled asks nothing more. */
public final class DeliveredSlots {

    private DeliveredSlots() {}

    /**
     * Cells of one kind that ask one model.
     *
     * @param branch one of those that ask it; null: judges or graders do
     */
    record Asked(
            CellKind kind,
            String provider,
            String model,
            @Nullable Branch branch) {}

    private record ModelName(CellKind kind, String provider, String model) {}

    /** What may go out, each kind and model once: branches first. */
    static List<Asked> all(StoredCampaign campaign) {
        List<Branch> branches = campaign.definition().branches();
        Stream<Asked> ofBranches = of(campaign).stream()
                .flatMap(index -> asked(CellKind.BRANCH, branches.get(index).agent(), branches.get(index)));
        Stream<Asked> ofJudges = judges(campaign)
                .filter(judge -> judge.delivery().mayBeOut())
                .flatMap(judge -> asked(CellKind.JUDGE, judge.agent(), null));
        Stream<Asked> ofGraders = campaign.definition().graders().stream()
                .filter(grader -> grader.delivery().mayBeOut())
                .flatMap(grader -> asked(CellKind.GRADE, grader.agent(), null));
        return List.copyOf(Stream.of(ofBranches, ofJudges, ofGraders)
                .flatMap(some -> some)
                .collect(Collectors.toMap(
                        asked -> new ModelName(asked.kind(), asked.provider(), asked.model()),
                        asked -> asked,
                        (one, _) -> one,
                        LinkedHashMap::new))
                .values());
    }

    private static Stream<Asked> asked(CellKind kind, Agent agent, @Nullable Branch branch) {
        return agent.modelAsked().stream().map(choice -> new Asked(kind, choice.provider(), choice.model(), branch));
    }

    private static Stream<Judge> judges(StoredCampaign campaign) {
        return campaign.definition().judging().stream().flatMap(policy -> policy.judges().stream());
    }

    /** Whether judges or graders may go out. */
    static boolean mayCallsBeOut(StoredCampaign campaign) {
        return judges(campaign).anyMatch(judge -> judge.delivery().mayBeOut())
                || campaign.definition().graders().stream()
                        .anyMatch(grader -> grader.delivery().mayBeOut());
    }

    /** The indexes of the branches whose cells may, ascending. */
    public static List<Integer> of(StoredCampaign campaign) {
        return of(campaign, _ -> true);
    }

    /** Those that ask one model of a provider. */
    public static List<Integer> asking(StoredCampaign campaign, String provider, String model) {
        return of(campaign, asksModel(provider, model));
    }

    private static Predicate<ModelChoice> asksModel(String provider, String model) {
        return asked -> asked.provider().equals(provider) && asked.model().equals(model);
    }

    private static List<Integer> of(StoredCampaign campaign, Predicate<ModelChoice> wanted) {
        List<Branch> all = campaign.definition().branches();
        return IntStream.range(0, all.size())
                .filter(index -> all.get(index).delivery().mayBeOut()
                        && !campaign.cancelledBranches().contains(index)
                        && all.get(index).agent().modelAsked().filter(wanted).isPresent())
                .boxed()
                .toList();
    }

    /** How a cell that asks a model wants to be asked. Graders of one model are asked alike: by AUTO if all of them are. */
    public static DeliveryWish wish(StoredCampaign campaign, CellKey cell, String provider, String model) {
        return switch (cell.kind()) {
            case BRANCH -> campaign.definition().branches().get(cell.slot()).delivery();
            case JUDGE ->
                campaign.definition()
                        .judging()
                        .map(policy -> policy.judgeOf(cell.slot()).delivery())
                        .orElse(DeliveryWish.LIVE);
            case GRADE -> ofGraders(campaign, asksModel(provider, model));
            case STRATEGY -> DeliveryWish.LIVE;
        };
    }

    private static DeliveryWish ofGraders(StoredCampaign campaign, Predicate<ModelChoice> wanted) {
        Set<DeliveryWish> wishes = campaign.definition().graders().stream()
                .filter(grader -> grader.agent().modelAsked().filter(wanted).isPresent())
                .map(CheckGrader::delivery)
                .filter(DeliveryWish::mayBeOut)
                .collect(Collectors.toSet());
        return wishes.stream()
                .filter(wish -> wish.way() == Delivery.BATCH)
                .findFirst()
                .or(() -> wishes.stream().findFirst())
                .orElse(DeliveryWish.LIVE);
    }
}
