package dev.assay.store.sql;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.repository.GenericRepository;

/**
 * A repository whose abstract methods are statements: each has its {@code @Query}, and Micronaut Data binds the parameters by name
 * and reads the rows. A parameter that the method does not have fails the compilation, a column that the schema does not have a
 * test. Methods are {@code @ReadOnly} or {@code @Transactional}, or not public and called by such.
 *
 * <p>Other statements belong to {@link Sql}: claims, batches, streams, rows that hold JSON, and statements that are put together.
 *
 * <p>A failed statement throws a {@code DataAccessException}; {@link dev.assay.store.SqlState} says whether it is transient.
 */
public interface QueryRepository extends GenericRepository<QueryRepository.NoEntity, Long> {

    /** The stand-in for the entity from which Micronaut Data derives statements. None are derived. */
    @MappedEntity
    record NoEntity(@Id long id) {}
}
