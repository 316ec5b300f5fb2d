package dev.assay.web.trial;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.AnswerExcerpt;
import dev.assay.store.result.AnswerExcerpts;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.connection.AnswerPlace;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** The beginning of answers, for a list of cases. */
@Controller("/api/v1/campaigns/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "results")
final class AnswerController {

    private static final int MOST = 200;
    private static final String PLACES = "^[0-9]{1,12}(,[0-9]{1,12}){0,199}$";
    private static final Pattern VALID = Pattern.compile(PLACES);

    private final CampaignQueries campaigns;
    private final AnswerExcerpts answers;

    AnswerController(CampaignQueries campaigns, AnswerExcerpts answers) {
        this.campaigns = campaigns;
        this.answers = answers;
    }

    /**
     * Lists the beginning of answers.
     *
     * @param id id of the campaign
     * @param places of their cells in the matrix, from 0, with commas between them; at most 200
     * @return the answers that are recorded
     */
    @Get("/answers")
    @Operation(
            summary = "List the first 600 characters of the answers of some cells, and why they did not pass",
            operationId = "listAnswers",
            description = "A cell's place is ((trial - 1) x cases + position of the case) x branches + branch, with"
                    + " branches from 0 in the order of the campaign file. The outcome itself has the whole answer.")
    AnswerList list(
            HttpRequest<?> request, String id, @QueryValue @Schema(pattern = PLACES, maxLength = 2600) String places) {
        StoredCampaign campaign = campaigns.required(id);
        int branches = campaign.definition().branches().size();
        List<Long> cells = cells(places, (long) campaign.grid().size() * branches);
        return AnswerPlace.whileReading(request, room -> {
            room.take(cells.size() * AnswerExcerpt.OCTETS);
            return new AnswerList(answers.find(id, branches, cells));
        });
    }

    private static List<Long> cells(String places, long total) {
        if (!VALID.matcher(places).matches()) {
            throw invalid("Write 1 to " + MOST + " whole numbers with commas between them, such as 0,1,2");
        }
        List<Long> cells = Arrays.stream(places.split(",", -1))
                .map(Long::valueOf)
                .distinct()
                .toList();
        if (cells.stream().anyMatch(cell -> cell >= total)) {
            throw invalid("The campaign has " + total + " cells: write places below that number");
        }
        return cells;
    }

    private static AssayException invalid(String message) {
        return AssayException.invalid(
                "A parameter of the request is not valid", List.of(new FieldError("places", message)));
    }
}
