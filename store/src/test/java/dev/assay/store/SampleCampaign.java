package dev.assay.store;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.JudgeVote;
import dev.assay.domain.judge.ParsedReply;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.steering.Rerun;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.steering.RerunCells;
import dev.assay.store.suite.CaseRepository;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A campaign for tests: cases {@code case-0} …, branches {@code branch-0} … over the provider {@code openai}.
 *
 * @param name for people
 * @param cases how many
 * @param branches how many
 * @param trials how many
 */
public record SampleCampaign(String name, int cases, int branches, int trials) {

    /** What a worker says that can run the campaign. */
    public static final Map<String, ProviderInfo> PROVIDERS =
            Map.of("openai", new ProviderInfo("openai", true, "OPENAI_API_KEY", 50, 4096, Map.of()));

    /** The campaign file. */
    public ObjectNode document() {
        ObjectNode document = Json.mapper().createObjectNode();
        document.put("name", name);
        ArrayNode caseList = document.putArray("cases");
        for (int i = 0; i < cases; i++) {
            ObjectNode one = caseList.addObject();
            one.put("id", "case-" + i).put("prompt", "What is " + i + "?");
            one.putArray("checks").addObject().put("type", "icontains").put("value", "answer");
        }
        ArrayNode branchList = document.putArray("branches");
        for (int i = 0; i < branches; i++) {
            branchList
                    .addObject()
                    .put("id", "branch-" + i)
                    .put("provider", "openai")
                    .put("model", "model-" + i);
        }
        document.put("trials", trials);
        document.putObject("strategy").put("type", "pick-first");
        return document;
    }

    /** The campaign file, read. */
    public CampaignSubmission submission() {
        return CampaignReader.read(document(), PROVIDERS);
    }

    /** Registers a live worker with {@link #PROVIDERS}. */
    public static void registerWorker(StoreFixture store, String workerId) {
        store.execute("""
            INSERT INTO worker (worker_id, host, pid, version, queues, providers, lease_until)
            VALUES (?, 'localhost', 1, 'test', '{assay,assay-provider-openai}', ?::jsonb, now() + interval '1 day')\
            """, workerId, Json.write(PROVIDERS.values()));
    }

    /** Records an outcome of this campaign: 10 input and 5 output tokens. */
    public void recordOutcome(
            StoreFixture store, String campaignId, int ordinal, int branch, String status, @Nullable Boolean passed) {
        store.execute(
                """
                INSERT INTO outcome (campaign_id, ordinal, branch_index, case_index, trial, epoch, loop_id, status, passed,
                    response, messages, original_context_length, input_tokens, output_tokens, reasoning_tokens,
                    cache_read_tokens, cache_write_tokens, total_tokens, cost_usd, latency_ms, attempts, error_code,
                    error_message, checks)
                VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?::jsonb, 0, 10, 5, 0, 0, 0, 15, ?, 120, 1, ?, ?, ?::jsonb)\
                """,
                campaignId,
                ordinal,
                branch,
                ordinal % cases,
                ordinal / cases + 1,
                "s." + branch + ".1",
                status,
                passed,
                status.equals("COMPLETED") ? "the answer" : "",
                """
                [{"role": "user", "content": "What?"}, {"role": "assistant", "content": "the answer"}]\
                """,
                status.equals("COMPLETED") ? new BigDecimal("0.000125") : null,
                status.equals("COMPLETED") ? null : "PROVIDER_TIMEOUT",
                status.equals("COMPLETED") ? null : "The provider did not answer",
                """
                [{"type": "icontains", "status": "PASSED", "score": 1.0, "reason": "Contains it", "required": true}]\
                """);
    }

    /** Records a decided selection of {@code branch} for a trial of this campaign. */
    public void recordSelection(StoreFixture store, String campaignId, int ordinal, int branch) {
        store.execute(
                """
                INSERT INTO trial (campaign_id, ordinal, case_index, trial, epoch, complete, selected_index, strategy, reason,
                    fallback, decided, votes)
                VALUES (?, ?, ?, ?, 1, true, ?, 'llm-judge', 'The judge said so', false, true, ?::jsonb)\
                """, campaignId, ordinal, ordinal % cases, ordinal / cases + 1, branch, Json.write(votes(branch)));
    }

    /** The vote of one judge for {@code branch}, which it was shown beside the first two. */
    public static List<JudgeVote> votes(int branch) {
        List<Integer> shown = List.of(0, 1);
        ParsedReply reading = new ParsedReply(0, shown, ParsedReply.Path.PLAIN, branch, List.of(), null);
        return List.of(new JudgeVote(0, shown, JudgeVote.Result.VOTED, branch, List.of(), List.of(reading)));
    }

    /** Records a judge call of a trial of this campaign: 20 input and 1 output tokens. */
    public void recordJudgeCall(StoreFixture store, String campaignId, int ordinal) {
        store.execute("INSERT INTO judge_prompt VALUES ('hash', 'Judge.', 'Which is best?') ON CONFLICT DO NOTHING");
        store.execute("""
            INSERT INTO judge_call (campaign_id, ordinal, member, epoch, loop_id, status, prompt_hash, shown, reply,
                compaction, input_tokens, output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens,
                total_tokens, cost_usd, latency_ms, attempts)
            VALUES (?, ?, 0, 1, 's.judge.3', 'COMPLETED', 'hash', '{0,1}', '1', ?::jsonb, 20, 1, 0, 0, 0,
                21, 0.001, 80, 1)\
            """, campaignId, ordinal, Json.write(new Compaction(null, 0, 0, 0, 3, 3, true)));
    }

    /** Opens cells of a campaign again, as a re-run does. */
    public static void rerun(StoreFixture store, String campaignId, Rerun rerun) {
        StoredCampaign campaign = store.get(CampaignRepository.class).required(campaignId);
        Rerun.Cells cells = rerun.cells(
                campaignId,
                store.get(CaseRepository.class).caseIds(campaign.suiteId()),
                campaign.definition().branches().stream().map(Branch::id).toList());
        store.get(RerunCells.class).open(campaign, rerun, cells, false);
    }
}
