package dev.assay.web.trial;

import dev.assay.store.cases.CaseLists.TagCount;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * The tags of a suite.
 *
 * @param items those of most cases first; at most a thousand
 */
@Schema(name = "TagList")
record TagList(List<TagCount> items) {

    TagList {
        items = List.copyOf(items);
    }
}
