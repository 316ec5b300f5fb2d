package dev.assay.domain.tool;

import com.jayway.jsonpath.spi.json.JacksonJsonNodeJsonProvider;
import dev.assay.domain.json.Json;
import java.util.Collection;
import java.util.Iterator;

/** Shows a JSONPath query its document, and counts every look. */
final class CountedJson extends JacksonJsonNodeJsonProvider {

    /** Looks of one query: about a tenth of a second. */
    static final int MAX_STEPS = 1_000_000;

    private int left = MAX_STEPS;

    CountedJson() {
        super(Json.mapper());
    }

    /** True once the looks are used up: the library wraps exceptions, or goes on after them. */
    boolean isUsedUp() {
        return left < 0;
    }

    private void spend(int steps) {
        left = left < 0 ? left : left - steps;
        if (left < 0) {
            throw new ToolException("The path takes more than " + MAX_STEPS + " steps on this document.");
        }
    }

    @Override
    public boolean isArray(Object value) {
        spend(1);
        return super.isArray(value);
    }

    @Override
    public boolean isMap(Object value) {
        spend(1);
        return super.isMap(value);
    }

    @Override
    public Object unwrap(Object value) {
        spend(1);
        return super.unwrap(value);
    }

    @Override
    public Object getArrayIndex(Object array, int index) {
        spend(1);
        return super.getArrayIndex(array, index);
    }

    @Override
    public Object getMapValue(Object map, String key) {
        spend(1);
        return super.getMapValue(map, key);
    }

    @Override
    public void setArrayIndex(Object array, int index, Object value) {
        spend(1);
        super.setArrayIndex(array, index, value);
    }

    @Override
    public void setProperty(Object map, Object key, Object value) {
        spend(1);
        super.setProperty(map, key, value);
    }

    @Override
    public int length(Object value) {
        spend(1);
        return super.length(value);
    }

    @Override
    public Collection<String> getPropertyKeys(Object map) {
        Collection<String> keys = super.getPropertyKeys(map);
        spend(keys.size());
        return keys;
    }

    @Override
    public Iterable<?> toIterable(Object array) {
        Iterable<?> items = super.toIterable(array);
        Iterable<Object> counted = () -> counted(items.iterator());
        return counted;
    }

    private Iterator<Object> counted(Iterator<?> items) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return items.hasNext();
            }

            @Override
            public Object next() {
                spend(1);
                return items.next();
            }
        };
    }
}
