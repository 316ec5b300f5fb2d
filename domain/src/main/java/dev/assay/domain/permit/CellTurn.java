package dev.assay.domain.permit;

import java.util.Comparator;

/**
 * The turn of a cell that waits among others. The cells of evaluations come first, then those of the campaign that was served
 * longest ago. Of one campaign the first in its order comes first, so that a round ends before the next takes its permits. The order
 * of turns is the order in which cells are served.
 *
 * @param isUrgent whether a person waits for it: it is a cell of an evaluation
 * @param lastServed when its campaign was served last, on any scale that grows; less than all others: never
 * @param position of its trial in the order of its campaign, at least 0
 * @param arrival when the cell came, on any scale that grows
 */
public record CellTurn(boolean isUrgent, long lastServed, int position, long arrival) implements Comparable<CellTurn> {

    private static final Comparator<CellTurn> ORDER = Comparator.comparing(CellTurn::isUrgent)
            .reversed()
            .thenComparingLong(CellTurn::lastServed)
            .thenComparingInt(CellTurn::position)
            .thenComparingLong(CellTurn::arrival);

    @Override
    public int compareTo(CellTurn other) {
        return ORDER.compare(this, other);
    }
}
