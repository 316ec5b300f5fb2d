package dev.assay.store;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.assay.domain.campaign.CampaignMetadata;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.draw.AnswerSource;
import dev.assay.domain.gate.Pairing;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.label.LabelState;
import dev.assay.domain.label.LabelValue;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.store.access.AuditFilter;
import dev.assay.store.access.AuditRepository;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.CampaignSearch;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cases.CaseFilter;
import dev.assay.store.cases.CaseLists;
import dev.assay.store.delivery.BatchRepository;
import dev.assay.store.evaluation.EvaluationRepository;
import dev.assay.store.evaluator.EvaluatorRepository;
import dev.assay.store.hypothesis.HypothesisRepository;
import dev.assay.store.label.CalibrationQueries;
import dev.assay.store.label.LabelFilter;
import dev.assay.store.label.LabelQueries;
import dev.assay.store.label.SampleRepository;
import dev.assay.store.label.StoredSample;
import dev.assay.store.outcome.OutcomeRepository;
import dev.assay.store.page.AnswerRoom;
import dev.assay.store.page.PageRequest;
import dev.assay.store.page.PageToken;
import dev.assay.store.removal.RemovalRepository;
import dev.assay.store.replaced.ReplacedResults;
import dev.assay.store.result.ComparisonRepository;
import dev.assay.store.result.OutcomeContent;
import dev.assay.store.result.OutcomeFilter;
import dev.assay.store.result.OutcomeQueries;
import dev.assay.store.result.OutcomeStreams;
import dev.assay.store.result.SelectionQueries;
import dev.assay.store.scoring.ScoredCells;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL prepares every statement of the store against the migrated schema, so that a column that is not there fails the build:
 * those of {@code @Query}, those that are constants, and each piece of the others in a statement that is run.
 */
@StoreTest
final class StatementsTest {

    private static final String CAMPAIGN = "statements";
    private static final String SESSION = "a session";

    private final StoreFixture store;

    StatementsTest(StoreFixture store) {
        this.store = store;
    }

    @Test
    void shouldPrepareWhatMicronautDataRuns() throws SQLException {
        Set<String> queries = Statements.ofQueries(store.context());

        assertThat(queries).isNotEmpty();
        assertThat(refused(queries)).isEmpty();
    }

    @Test
    void shouldPrepareWhatIsWrittenAsAWhole() throws SQLException {
        assertThat(refused(Statements.whole())).isEmpty();
    }

    @Test
    void shouldRunEveryPieceOfWhatIsPutTogether() {
        Set<String> known = new TreeSet<>(Statements.whole());
        known.addAll(Statements.ofQueries(store.context()));
        known.addAll(executed(this::putTogether));

        assertThat(Statements.missing(known))
                .as("SQL that is no statement by itself and in none that putTogether runs: run it there")
                .isEmpty();
    }

    @Test
    void shouldRefuseAColumnThatIsNotThere() throws SQLException {
        assertThat(refused(Set.of("SELECT nothing FROM campaign WHERE campaign_id = ?")))
                .singleElement()
                .asString()
                .contains("column \"nothing\" does not exist");
    }

    @Test
    void shouldMissAPieceThatIsNowhere() {
        assertThat(Statements.missing(Statements.whole())).contains(" AND o.latency_ms > ?");
    }

    /** Calls whatever puts statements together, with all it may put in. */
    private void putTogether() {
        SampleCampaign sample = new SampleCampaign(CAMPAIGN, 1, 1, 1);
        CampaignRepository campaigns = store.get(CampaignRepository.class);
        campaigns.create(CAMPAIGN, sample.submission());
        StoredCampaign campaign = campaigns.find(CAMPAIGN).orElseThrow();
        list(campaign);
        results(campaign);
        labels(campaign);
        store.get(BatchRepository.class)
                .page(
                        new BatchRepository.Wanted(CAMPAIGN, "SUBMITTED"),
                        new BatchRepository.Place(Instant.now(), "batch"),
                        1);
        store.get(ScoredCells.class)
                .flips(
                        CAMPAIGN,
                        PageRequest.of(PageToken.of(0, "case-0", "branch-0", 1).text(), 1));
        campaigns.transition(CAMPAIGN, Set.of(CampaignState.PENDING), CampaignState.CANCELLED, true, null);
        RemovalRepository removal = store.get(RemovalRepository.class);
        removal.begin(CAMPAIGN);
        removal.finish(CAMPAIGN, Duration.ZERO);
        removal.removeLedger(CAMPAIGN, 10);
    }

    private void list(StoredCampaign campaign) {
        store.get(AuditRepository.class)
                .page(
                        new AuditFilter("who", "object", Instant.now(), Instant.now(), true),
                        PageToken.of(Instant.now(), 1).text(),
                        1);
        String after = PageToken.of(Instant.now(), CAMPAIGN).text();
        CampaignRepository campaigns = store.get(CampaignRepository.class);
        campaigns.list(CampaignSearch.ALL, PageRequest.of(null, 1));
        campaigns.list(
                new CampaignSearch(
                        Set.of(CampaignState.PENDING),
                        Set.of(Verdict.PASS),
                        "text",
                        "suite",
                        false,
                        "name",
                        new CampaignMetadata(Map.of("commit", "1")),
                        "source"),
                PageRequest.of(after, 1));
        EvaluationRepository evaluations = store.get(EvaluationRepository.class);
        evaluations.find(CAMPAIGN);
        evaluations.list(null, PageRequest.of(null, 1));
        evaluations.list(SESSION, PageRequest.of(after, 1));
        HypothesisRepository hypotheses = store.get(HypothesisRepository.class);
        hypotheses.find(CAMPAIGN);
        hypotheses.octets(CAMPAIGN);
        hypotheses.list(PageRequest.of(null, 1));
        hypotheses.list(PageRequest.of(after, 1));
        CaseFilter cases = new CaseFilter(
                "text",
                "tag",
                new CaseFilter.Answers(CAMPAIGN, 0, "icontains", 1L, true, LabelState.DISAGREES),
                List.of(0));
        store.get(CaseLists.class).list(campaign.suiteId(), cases, 0, 1, AnswerRoom.UNBOUNDED);
        store.get(CaseLists.class).positions(campaign.suiteId(), cases);
    }

    private void results(StoredCampaign campaign) {
        OutcomeQueries outcomes = store.get(OutcomeQueries.class);
        outcomes.page(CAMPAIGN, OutcomeFilter.ALL, PageRequest.of(null, 1));
        outcomes.page(
                CAMPAIGN,
                new OutcomeFilter("case-0", "branch-0", 1, OutcomeStatus.COMPLETED, true),
                PageRequest.of(PageToken.of(0, 0).text(), 1));
        outcomes.failures(
                CAMPAIGN,
                "branch-0",
                PageRequest.of(PageToken.of(Instant.now(), 0, 0).text(), 1));
        outcomes.page(CAMPAIGN, OutcomeFilter.ALL, List.of(0), OutcomeContent.TRANSCRIBED, PageRequest.of(null, 1));
        outcomes.page(CAMPAIGN, OutcomeFilter.ALL, null, OutcomeContent.RECORDED, PageRequest.of(null, 1));
        outcomes.find(CAMPAIGN, "case-0", "branch-0", 1);
        outcomes.transcripts(CAMPAIGN, 0);
        outcomes.octets(CAMPAIGN, "case-0", "branch-0", 1);
        outcomes.octets(CAMPAIGN, 0);
        store.get(OutcomeRepository.class).octets(CAMPAIGN, List.of(0));
        store.get(OutcomeStreams.class).recordedAnswers(CAMPAIGN, answer -> {});
        store.get(SelectionQueries.class)
                .page(CAMPAIGN, "case-0", 1, PageRequest.of(PageToken.of(0).text(), 1));
        store.get(ReplacedResults.class)
                .page(
                        CAMPAIGN,
                        "case-0",
                        1,
                        PageRequest.of(PageToken.of(1, "outcome", 0, 0).text(), 1));
        store.get(ComparisonRepository.class).cases(campaign, 0, Pairing.CONTENT, true);
        store.get(ComparisonRepository.class).cases(campaign, 0, Pairing.QUESTION, false);
        store.get(EvaluatorRepository.class).used(CAMPAIGN, null);
        store.get(ComparisonRepository.class).cases(campaign, 0, null, false);
        store.get(ComparisonRepository.class).askedCases(campaign, 0);
    }

    private void labels(StoredCampaign campaign) {
        OutcomeQueries outcomes = store.get(OutcomeQueries.class);
        for (LabelState state : LabelState.values()) {
            outcomes.page(
                    CAMPAIGN,
                    new OutcomeFilter(null, null, null, null, null, state, AnswerSource.REUSED),
                    PageRequest.of(null, 1));
        }
        LabelQueries labels = store.get(LabelQueries.class);
        labels.ofCell(CAMPAIGN, 0, 0);
        for (LabelValue.Word word : LabelValue.Word.values()) {
            labels.page(
                    CAMPAIGN,
                    new LabelFilter("branch-0", "anna", "icontains", word, "sample"),
                    PageRequest.of(PageToken.of(0, 0, 1L).text(), 1));
        }
        SampleRepository samples = store.get(SampleRepository.class);
        StoredSample sample = samples.make(campaign, 1, 1, List.of(0), "icontains");
        samples.shown(campaign, sample.id(), 0, 1);
        samples.items(List.of("0123456789abcdef"));
        store.get(CalibrationQueries.class).labels(campaign);
        store.get(CalibrationQueries.class).answers(campaign, _ -> {});
    }

    /** The statements that run as Micronaut Data logs them. */
    private static List<String> executed(Runnable work) {
        Logger logger = (Logger) LoggerFactory.getLogger("io.micronaut.data.query");
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        Level level = logger.getLevel();
        logger.addAppender(appender);
        logger.setAdditive(false);
        logger.setLevel(Level.DEBUG);
        try {
            work.run();
        } finally {
            logger.setLevel(level);
            logger.setAdditive(true);
            logger.detachAppender(appender);
        }
        return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private List<String> refused(Set<String> statements) throws SQLException {
        List<String> refused = new ArrayList<>();
        try (Connection connection = store.connect()) {
            for (String sql : statements) {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    // The driver sends a statement when it is asked for its parameters.
                    statement.getParameterMetaData();
                } catch (SQLException e) {
                    refused.add(e.getMessage() + "\n" + sql);
                }
            }
        }
        return refused;
    }
}
